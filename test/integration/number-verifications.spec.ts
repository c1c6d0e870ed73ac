import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TelephonyConfig } from '../../src/config/config.js';
import { NumberVerificationsService } from '../../src/modules/number-verifications/number-verifications.service.js';
import { VerificationGuardService } from '../../src/modules/number-verifications/verification-guard.service.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import type { CallEvent } from '../../src/providers/telephony/call/carrier-call.js';
import { CallCarrierError } from '../../src/providers/telephony/call-carrier-error.js';
import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createSipTrunk } from '../support/builders.js';
import { until } from '../support/until.js';

const PATH = '/api/user/phone-numbers/verifications';
const SPEED = 200;

interface Verification {
  readonly id: number;
  readonly status: string;
  readonly failure: string | null;
  readonly tries_left: number;
  readonly sandbox_words: string | null;
}

describe('numbers proven by a code that is spoken in a call', () => {
  let app: TestApp;
  let carrier: SandboxCallCarrier;
  let numbers = 0;

  beforeAll(async () => {
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      SANDBOX_SPEED: String(SPEED),
      DATABASE_POOL_SIZE: '16',
    });
    const sandbox = app.app.get(CallCarrier, { strict: false });
    if (!(sandbox instanceof SandboxCallCarrier)) throw new Error('the test needs the sandbox carrier');
    carrier = sandbox;
  }, 60_000);
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => app.stop());

  /** A mobile number of São Paulo that no other test uses; its last two digits say who answers. */
  const fresh = (lastTwo = '00') => `+5511987${String(++numbers).padStart(4, '0')}${lastTwo}`;
  const account = () => app.account({ balanceUsd: 5 });
  const ask = (who: TestAccount, phoneNumber: string) =>
    app.as(who).post(PATH).send({ phone_number: phoneNumber });
  const read = async (who: TestAccount, id: number): Promise<Verification> =>
    (await app.as(who).get(`${PATH}/${id}`).expect(200)).body.data;
  const confirm = (who: TestAccount, id: number, code: string) =>
    app.as(who).post(`${PATH}/${id}/confirm`).send({ code });
  const ended = (id: number) =>
    until(async () => {
      const [row] = await app.query<{ ended: boolean }>(
        'SELECT ended_at IS NOT NULL AS ended FROM number_verifications WHERE id = $1',
        [id],
      );
      return row?.ended === true;
    }, 20_000);

  /** Asks, and waits until the call is over. */
  async function called(who: TestAccount, phoneNumber = fresh()): Promise<Verification> {
    const { body } = await ask(who, phoneNumber).expect(201);
    await ended(body.data.id);
    return read(who, body.data.id);
  }

  const codeOf = ({ sandbox_words: words }: Verification) =>
    (/(?:código é|code is): ((?:\d ){5}\d)/.exec(words ?? '')?.[1] ?? '').replaceAll(' ', '');
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const numbersOf = (who: TestAccount) =>
    app.query<{ phone_number: string; type: string; verified_by: string | null }>(
      'SELECT phone_number, type, verified_by FROM phone_numbers WHERE user_id = $1 ORDER BY id',
      [who.userId],
    );

  it('calls, speaks the code twice to who presses the key, and takes it as proof', async () => {
    const owner = await account();
    const number = fresh();
    const says = jest.spyOn(carrier.media.text, 'say');
    const verification = await called(owner, number);
    expect(verification).toMatchObject({ status: 'spoken', failure: null, tries_left: 5 });
    const code = codeOf(verification);
    expect(code).toMatch(/^\d{6}$/);
    const heard = says.mock.calls.map(([, text]) => text);
    expect(heard[0]).toMatch(/Para ouvir o código, tecle [1-9]\.$/);
    expect(heard.at(-1)?.split(code.split('').join(' '))).toHaveLength(3);

    const { body } = await confirm(owner, verification.id, code).expect(200);
    expect(body).toEqual({
      message: 'Número de telefone verificado com sucesso',
      data: {
        phone_number_id: expect.any(Number),
        phone_number: number,
        type: 'caller_id',
        verified_at: expect.any(String),
      },
    });
    expect(await numbersOf(owner)).toEqual([
      { phone_number: number, type: 'caller_id', verified_by: 'sandbox' },
    ]);
    const verified = await app.as(owner).get('/api/user/phone-numbers/verified').expect(200);
    expect(verified.body.data).toEqual([body.data]);
    // It was no call as others are: nothing lists it, and the line alone is charged.
    expect((await app.as(owner).get('/api/user/calls').expect(200)).body.data).toEqual([]);
    const charged = await app.query<{ amount: number; reference: string }>(
      `SELECT amount_micros::int AS amount, reference FROM ledger_entries WHERE user_id = $1 AND kind = 'call'`,
      [owner.userId],
    );
    expect(charged).toHaveLength(1);
    expect(charged[0]?.reference).toMatch(/^verification:/);
    expect(charged[0]?.amount).toBeGreaterThanOrEqual(-2_500);
    expect(charged[0]?.amount).toBeLessThan(0);
    expect(await read(owner, verification.id)).toMatchObject({ status: 'verified', sandbox_words: null });
  });

  it('stores no code, only a hash with a key that is not in the database', async () => {
    const owner = await account();
    const verification = await called(owner);
    const code = codeOf(verification);
    const [row] = await app.query<{ row: Record<string, unknown> }>(
      "SELECT to_jsonb(v) - 'sandbox_words' AS row FROM number_verifications v WHERE id = $1",
      [verification.id],
    );
    expect(JSON.stringify(row?.row)).not.toContain(code);
    expect(row?.row.code_hash).toMatch(/^[\w-]{43}$/);
    await confirm(owner, verification.id, code).expect(200);
    const [after] = await app.query('SELECT code_hash FROM number_verifications WHERE id = $1', [
      verification.id,
    ]);
    expect(after).toEqual({ code_hash: null });
  });

  it.each([
    ['a busy line', '01', 'busy'],
    ['no answer', '02', 'no-answer'],
    ['a mailbox, which presses no key', '03', 'no-key'],
    ['a carrier that fails', '04', 'call-failed'],
  ])('speaks no code to %s, and charges nothing unanswered', async (_whom, lastTwo, failure) => {
    const owner = await account();
    const verification = await called(owner, fresh(lastTwo));
    expect(verification).toMatchObject({ status: 'failed', failure, sandbox_words: null });
    const { body } = await confirm(owner, verification.id, '000000').expect(409);
    expect(body.error).toMatch(/não espera um código/);
    const [wallet] = await app.query<{ held: number }>(
      'SELECT held_micros::int AS held FROM wallets WHERE user_id = $1',
      [owner.userId],
    );
    expect(wallet?.held).toBe(0);
    expect(await numbersOf(owner)).toEqual([]);
  });

  it('speaks no code to a person who presses another key', async () => {
    const owner = await account();
    const said: string[] = [];
    const say = carrier.media.text.say.bind(carrier.media.text);
    jest.spyOn(carrier.media.text, 'say').mockImplementation((callId, text) => {
      said.push(text);
      return say(
        callId,
        text.replace(/tecle (\d)/, (_all, key: string) => `tecle ${(Number(key) % 9) + 1}`),
      );
    });
    const verification = await called(owner);
    expect(verification).toMatchObject({ status: 'failed', failure: 'no-key' });
    expect(said.join()).not.toMatch(/código é/);
  });

  it('takes five codes at most, however many are tried at once', async () => {
    const owner = await account();
    const verification = await called(owner);
    const code = codeOf(verification);
    const guess = wrong(code);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => confirm(owner, verification.id, guess)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(5).fill(400),
      ...Array<number>(7).fill(409),
    ]);
    expect(await read(owner, verification.id)).toMatchObject({
      status: 'failed',
      failure: 'wrong-codes',
      tries_left: 0,
    });
    await confirm(owner, verification.id, code).expect(409);
    expect(await numbersOf(owner)).toEqual([]);
  });

  it('takes the right code once, and adds one number, of two that come at the same moment', async () => {
    const owner = await account();
    const verification = await called(owner);
    const code = codeOf(verification);
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(owner, verification.id, code)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
    expect(await numbersOf(owner)).toHaveLength(1);
  });

  it('adds a number once that two calls have proven', async () => {
    const owner = await account();
    const number = fresh();
    const [first, second] = [await called(owner, number), await called(owner, number)];
    const answers = await Promise.all([
      confirm(owner, first.id, codeOf(first)),
      confirm(owner, second.id, codeOf(second)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await numbersOf(owner)).toHaveLength(1);
  });

  it('takes a code for its own call alone, and from the account alone that asked for it', async () => {
    const [owner, stranger] = [await account(), await account()];
    const [mine, other] = [await called(owner), await called(owner)];
    const theirs = await called(stranger);
    await confirm(stranger, mine.id, codeOf(mine)).expect(404);
    await confirm(stranger, theirs.id, codeOf(mine)).expect(400);
    await confirm(owner, other.id, codeOf(mine)).expect(400);
    await app.as(stranger).get(`${PATH}/${mine.id}`).expect(404);
    await app.as(stranger).delete(`${PATH}/${mine.id}`).expect(404);
    await confirm(owner, mine.id, codeOf(mine)).expect(200);
  });

  it('takes no code that has expired, nor one of a verification that was cancelled', async () => {
    const owner = await account();
    const [late, cancelled] = [await called(owner), await called(owner)];
    await app.query(
      "UPDATE number_verifications SET expires_at = now() - interval '1 second' WHERE id = $1",
      [late.id],
    );
    expect((await confirm(owner, late.id, codeOf(late)).expect(409)).body.error).toMatch(/expirou/);
    expect(await read(owner, late.id)).toMatchObject({ status: 'failed', failure: 'expired' });
    await app.as(owner).delete(`${PATH}/${cancelled.id}`).expect(200);
    await app.as(owner).delete(`${PATH}/${cancelled.id}`).expect(409);
    await confirm(owner, cancelled.id, codeOf(cancelled)).expect(409);
    expect(await numbersOf(owner)).toEqual([]);
  });

  it('proves numbers that are connected already, and not those of another account', async () => {
    const [owner, thief] = [await account(), await account()];
    const number = fresh();
    const trunk = (who: TestAccount) =>
      createSipTrunk(app, who, {
        phone_number: number,
        inbound_authorization_type: 'ip',
        allowed_inbound_ips: ['198.51.100.0/30'],
      });
    const stolen = await trunk(thief);
    const mine = await trunk(owner);
    const verification = await called(owner, number);
    const { body } = await confirm(owner, verification.id, codeOf(verification)).expect(200);
    expect(body.data).toMatchObject({ phone_number_id: mine, type: 'sip' });
    expect(await numbersOf(owner)).toEqual([{ phone_number: number, type: 'sip', verified_by: 'sandbox' }]);
    expect(await numbersOf(thief)).toEqual([{ phone_number: number, type: 'sip', verified_by: null }]);
    const assistant = async (who: TestAccount, id: number) => {
      const { id: made } = await createAssistant(app, who, { type: 'inbound', phone_number_id: id });
      await app.as(who).put(`/api/user/assistant/${made}`).send({ status: 'active' }).expect(200);
    };
    await assistant(thief, stolen);
    await assistant(owner, mine);
    carrier.callIn('+5511912345600', number);
    const calls = () =>
      app.query<{ user_id: number }>('SELECT user_id FROM calls WHERE assistant_phone_number = $1', [number]);
    await until(async () => (await calls()).length > 0);
    expect(await calls()).toEqual([{ user_id: owner.userId }]);
    // A trunk that is given another number has proven nothing of that.
    await app
      .as(owner)
      .put(`/api/user/phone-numbers/sip-trunks/${mine}`)
      .send({ phone_number: fresh() })
      .expect(200);
    expect((await numbersOf(owner))[0]?.verified_by).toBeNull();
  });

  it('does not route the call that verifies a number to an account that only registered that number', async () => {
    const [owner, thief] = [await account(), await account()];
    const number = fresh();
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
       VALUES ($1, $2, 'BR', 'sip') RETURNING id`,
      [thief.userId, number],
    );
    const guard = app.app.get(VerificationGuardService, { strict: false });
    const national = number.slice(3);
    const isKept = (to: string, dialled?: string[]) =>
      guard.isForCode({ callId: 'c', from: 'anonymous', to, ...(dialled ? { dialled } : {}) }, row?.id ?? 0);
    expect(await isKept(number)).toBe(false);
    const [running] = await app.query<{ id: number }>(
      `INSERT INTO number_verifications (user_id, call_key, phone_number, country_code, language, caller_number,
         carrier, status, called_at, expires_at)
       VALUES ($1, gen_random_uuid(), $2, 'BR', 'pt', '+551130000000', 'sandbox', 'calling', now(), now())
       RETURNING id`,
      [owner.userId, number],
    );
    expect(await isKept(number)).toBe(true);
    // By an extension of whatever name, where the operator writes the number somewhere.
    expect(await isKept('prosa', ['prosa', national])).toBe(true);
    expect(await isKept(fresh())).toBe(false);
    const { id: assistant } = await createAssistant(app, thief, {
      type: 'inbound',
      phone_number_id: row?.id ?? 0,
    });
    await app.as(thief).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
    const events = carrier.watch(carrier.callIn('+551130000000', number));
    let last: CallEvent | undefined;
    for await (const event of events) last = event;
    expect(last).toMatchObject({ type: 'ended', call: { end: { outcome: 'busy', by: 'platform' } } });
    expect(await app.query('SELECT id FROM calls WHERE user_id = $1', [thief.userId])).toEqual([]);
    await app.query(
      "UPDATE number_verifications SET called_at = now() - interval '4 minutes' WHERE id = $1",
      [running?.id],
    );
    expect(await isKept(number)).toBe(false);
    await app.query('UPDATE number_verifications SET called_at = now() WHERE id = $1', [running?.id]);
    await app.query("UPDATE phone_numbers SET verified_at = now(), verified_by = 'sandbox' WHERE id = $1", [
      row?.id,
    ]);
    expect(await isKept(number)).toBe(false);
    await app.query('DELETE FROM number_verifications WHERE id = $1', [running?.id]);
  });

  it('calls one number for one account at a time, and limits repeated calls', async () => {
    const [owner, other] = [await account(), await account()];
    const number = fresh();
    const { body } = await ask(owner, number).expect(201);
    await ask(owner, fresh()).expect(409);
    await ask(other, number).expect(409);
    await ended(body.data.id);
    await called(owner, number);
    await called(owner, number);
    const refused = await ask(owner, number).expect(429);
    expect(refused.headers['retry-after']).toBe('3600');
    await called(other, number);
    await called(other, number);
    await called(other, number);
    // Of all accounts together.
    await ask(await account(), number).expect(429);
    expect(
      await app.query('SELECT id FROM number_verifications WHERE phone_number = $1', [number]),
    ).toHaveLength(6);
  }, 60_000);

  it('lets one of several requests through that come at the same moment', async () => {
    const owner = await account();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(owner, fresh())));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409, 409,
    ]);
  });

  it('calls once for a request that is repeated with its key', async () => {
    const owner = await account();
    const number = fresh();
    const send = () => ask(owner, number).set('Idempotency-Key', 'the-same');
    const first = await send().expect(201);
    const second = await send().expect(201);
    expect(second.body.data.id).toBe(first.body.data.id);
    await ended(first.body.data.id);
  });

  it('places no call again whose process died, gives its money back, and still takes a code that was spoken', async () => {
    const owner = await account();
    const number = fresh();
    let come = (_error: Error): void => {};
    const place = jest.spyOn(carrier, 'place').mockImplementation(
      () =>
        new Promise((_resolve, reject) => {
          come = reject;
        }),
    );
    const { body } = await ask(owner, number).expect(201);
    await until(async () => place.mock.calls.length > 0);
    place.mockRestore();
    const service = app.app.get(NumberVerificationsService, { strict: false });
    await service.sweep();
    expect(await read(owner, body.data.id)).toMatchObject({ status: 'calling' });
    await app.query(
      "UPDATE number_verifications SET called_at = now() - interval '4 minutes' WHERE id = $1",
      [body.data.id],
    );
    await service.sweep();
    expect(await read(owner, body.data.id)).toMatchObject({ status: 'failed', failure: 'call-failed' });
    const [wallet] = await app.query<{ held: number }>(
      'SELECT held_micros::int AS held FROM wallets WHERE user_id = $1',
      [owner.userId],
    );
    expect(wallet?.held).toBe(0);
    // What comes back later changes nothing.
    come(new CallCarrierError('unavailable', 'maybe'));
    expect(await read(owner, body.data.id)).toMatchObject({ failure: 'call-failed' });

    const spoken = await called(owner);
    await app.query(
      "UPDATE number_verifications SET ended_at = NULL, called_at = now() - interval '4 minutes' WHERE id = $1",
      [spoken.id],
    );
    await service.sweep();
    await confirm(owner, spoken.id, codeOf(spoken)).expect(200);
  });

  it('calls from the number that the operator has named for all', async () => {
    const [operator, owner] = [await account(), await account()];
    const [named] = await app.query<{ id: number; phone_number: string }>(
      `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
       VALUES ($1, $2, 'BR', 'sip') RETURNING id, phone_number`,
      [operator.userId, fresh()],
    );
    const config = app.app.get(TelephonyConfig, { strict: false });
    const before = config.verificationNumberId;
    try {
      Object.assign(config, { verificationNumberId: named?.id });
      const { body } = await ask(owner, fresh()).expect(201);
      expect(body.data.caller_number).toBe(named?.phone_number);
      await ended(body.data.id);
      Object.assign(config, { verificationNumberId: 2_000_000_000 });
      const refused = await ask(owner, fresh()).expect(201);
      // In the sandbox alone any number will do.
      expect(refused.body.data.caller_number).toBe('+551130000000');
      await ended(refused.body.data.id);
    } finally {
      Object.assign(config, { verificationNumberId: before });
    }
  });

  it('goes with the account, and with a person who is erased', async () => {
    const owner = await account();
    const number = fresh();
    await called(owner, number);
    await app.as(owner).post('/api/user/privacy/erase').send({ phone_number: number }).expect(202);
    await until(
      async () =>
        (await app.query('SELECT id FROM number_verifications WHERE phone_number = $1', [number])).length ===
        0,
      20_000,
    );
  });

  it('counts for the limits of a day also when the person was erased since', async () => {
    const owner = await account();
    const number = fresh();
    for (let calls = 0; calls < 3; calls++) await called(owner, number);
    await app.as(owner).post('/api/user/privacy/erase').send({ phone_number: number }).expect(202);
    const named = () => app.query('SELECT FROM number_verifications WHERE phone_number = $1', [number]);
    await until(async () => (await named()).length === 0, 20_000);
    await ask(owner, number).expect(429);
    expect((await app.as(owner).get(PATH).expect(200)).body.data).toEqual([]);
    const kept = () => app.query('SELECT FROM number_verifications WHERE user_id = $1', [owner.userId]);
    expect(await kept()).toHaveLength(3);
    await app.query(
      "UPDATE number_verifications SET created_at = now() - interval '25 hours' WHERE user_id = $1",
      [owner.userId],
    );
    await app.app.get(NumberVerificationsService, { strict: false }).sweep();
    expect(await kept()).toEqual([]);
    await ask(owner, number).expect(201);
  }, 60_000);
});
