import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { ChatAssistantsService } from '../../src/modules/conversations/turns/chat-assistants.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { until } from '../support/until.js';

const PRICE_MICROS = 10_000;

interface Books {
  readonly balance: number;
  readonly held: number;
  readonly entries: number;
  readonly charged: number;
}

/** Money under load and under failure: what the ledger, the holds and the wallet say must agree to the last micro-dollar. */
describe('billing of messages', () => {
  const model = new LLMock({ port: 0 });
  let app: TestApp;

  beforeAll(async () => {
    model.onMessage('Olá', { content: 'Olá!' });
    await model.start();
    app = await TestApp.start({
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'test-key',
      CHAT_QUEUE_PER_CONVERSATION: '300',
      DATABASE_POOL_SIZE: '20',
    });
  });
  afterAll(async () => {
    await app.stop();
    await model.stop();
  });

  const send = (uuid: string) =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' });

  async function booksOf({ userId }: TestAccount): Promise<Books> {
    const [row] = await app.query<Record<string, string>>(
      `SELECT balance_micros, held_micros,
         (SELECT coalesce(sum(amount_micros), 0) FROM ledger_entries WHERE user_id = $1) AS entries,
         (SELECT count(*) FROM ledger_entries WHERE user_id = $1 AND kind = 'message') AS charged
       FROM wallets WHERE user_id = $1`,
      [userId],
    );
    return {
      balance: Number(row?.balance_micros),
      held: Number(row?.held_micros),
      entries: Number(row?.entries),
      charged: Number(row?.charged),
    };
  }

  async function ready(balanceUsd: number): Promise<{ owner: TestAccount; uuid: string }> {
    const owner = await app.account({ balanceUsd });
    return { owner, uuid: await openConversation(app, await createAssistant(app, owner)) };
  }

  it('of 200 messages at once to one conversation with a balance for 100, exactly 100 succeed', async () => {
    const { owner, uuid } = await ready(1);
    const answers = await Promise.all(Array.from({ length: 200 }, () => send(uuid)));
    const succeeded = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 400);
    expect(succeeded).toHaveLength(100);
    expect(refused).toHaveLength(100);
    for (const { body } of refused) {
      expect(body).toEqual({ status: false, error: 'Insufficient balance. Please top up your account.' });
    }
    expect(await booksOf(owner)).toEqual({ balance: 0, held: 0, entries: 0, charged: 100 });
  }, 60_000);

  it('a message to an assistant that changes at each look is refused for the moment, and costs nothing', async () => {
    const owner = await app.account({ balanceUsd: 1 });
    const assistant = await createAssistant(app, owner);
    const uuid = await openConversation(app, assistant);
    const assistants = app.app.get(ChatAssistantsService, { strict: false });
    const find = assistants.find.bind(assistants);
    let looks = 0;
    const changing = jest.spyOn(assistants, 'find').mockImplementation(async (...of) => {
      const found = await find(...of);
      looks += 1;
      await app.query('UPDATE assistants SET revision = revision + 1 WHERE id = $1', [assistant.id]);
      return found;
    });
    await app.query('UPDATE assistants SET revision = revision + 1 WHERE id = $1', [assistant.id]);
    const { status, body, headers } = await send(uuid);
    changing.mockRestore();
    expect({ status, looks }).toEqual({ status: 503, looks: 3 });
    expect(body).toEqual({ status: false, error: expect.any(String) });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await booksOf(owner)).toMatchObject({ balance: 1_000_000, held: 0, charged: 0 });
    expect((await send(uuid)).status).toBe(200);
  });

  it('G8: many conversations on one wallet spend it exactly, and never below zero', async () => {
    const owner = await app.account({ balanceUsd: 3 });
    const assistant = await createAssistant(app, owner);
    const uuids = await Promise.all(Array.from({ length: 40 }, () => openConversation(app, assistant)));
    let lowest = Number.POSITIVE_INFINITY;
    const finished = new AbortController();
    const watch = (async () => {
      while (!finished.signal.aborted) {
        const { balance, held } = await booksOf(owner);
        lowest = Math.min(lowest, balance - held);
      }
    })();
    const answers = await Promise.all(uuids.flatMap((uuid) => Array.from({ length: 10 }, () => send(uuid))));
    finished.abort();
    await watch;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(300);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(100);
    expect(lowest).toBeGreaterThanOrEqual(0);
    expect(await booksOf(owner)).toEqual({ balance: 0, held: 0, entries: 0, charged: 300 });
  }, 60_000);

  it('G9: with a model that fails 30 % of the time, captured money equals successful replies', async () => {
    const { owner, uuid } = await ready(5);
    model.setChaos({ dropRate: 0.3 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(uuid)));
    model.clearChaos();
    const succeeded = answers.filter(({ status }) => status === 200).length;
    expect(succeeded).toBeGreaterThan(30);
    expect(succeeded).toBeLessThan(95);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(100 - succeeded);
    expect(await booksOf(owner)).toEqual({
      balance: 5_000_000 - succeeded * PRICE_MICROS,
      held: 0,
      entries: 5_000_000 - succeeded * PRICE_MICROS,
      charged: succeeded,
    });
  }, 60_000);

  it('G9: with too little balance no model is asked', async () => {
    const { owner, uuid } = await ready(0.01);
    await send(uuid).expect(200);
    model.clearRequests();
    await send(uuid).expect(400);
    expect(model.getRequests()).toHaveLength(0);
    expect((await booksOf(owner)).charged).toBe(1);
  });

  it('gives the money of a dead process back, and keeps its stored message', async () => {
    const { owner, uuid } = await ready(0.01);
    // What a process leaves behind that is killed between storing the message and the answer.
    await app.query(
      `WITH message AS (
         INSERT INTO messages (conversation_id, user_id, role, author, content)
         VALUES ($1, $2, 'user', 'customer', 'Antes da queda') RETURNING id),
       held AS (UPDATE wallets SET held_micros = held_micros + ${PRICE_MICROS} WHERE user_id = $2)
       INSERT INTO holds (id, user_id, kind, amount_micros, reference, created_at)
       SELECT gen_random_uuid(), $2, 'message', ${PRICE_MICROS}, 'message:' || id, now() - interval '4 minutes' FROM message`,
      [uuid, owner.userId],
    );
    await send(uuid).expect(400);
    expect(await app.app.get(BillingService).sweepStaleHolds()).toBe(1);
    expect(await booksOf(owner)).toMatchObject({ balance: PRICE_MICROS, held: 0, charged: 0 });
    await send(uuid).expect(200);
    const { body } = await app.http.get(`/api/conversations/${uuid}`);
    expect(JSON.stringify(body.history)).toContain('Antes da queda');
    expect(await booksOf(owner)).toEqual({ balance: 0, held: 0, entries: 0, charged: 1 });
  });

  it('does not keep the answer of a turn whose hold was voided during it', async () => {
    model.onMessage('Devagar', { content: 'Tarde demais.' }, { latency: 1_000 });
    const { owner, uuid } = await ready(0.01);
    const answer = app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Devagar' });
    const pending = answer.then((response) => response);
    await until(async () => {
      const held = await app.query(
        `WITH aged AS (UPDATE holds SET created_at = now() - interval '10 minutes' WHERE user_id = $1 RETURNING id)
         SELECT id FROM aged`,
        [owner.userId],
      );
      return held.length > 0;
    });
    await app.app.get(BillingService).sweepStaleHolds();
    const { status, body } = await pending;
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Failed to process message: /);
    expect(await booksOf(owner)).toEqual({
      balance: PRICE_MICROS,
      held: 0,
      entries: PRICE_MICROS,
      charged: 0,
    });
  });

  it('releases the money of a voided hold with the commit, and does not lock the wallet before', async () => {
    const owner = await app.account({ balanceUsd: 1 });
    const billing = app.app.get(BillingService);
    const transactions = app.app.get(Transactions, { strict: false });
    const charge = (reference: string) =>
      ({ kind: 'message', amountMicros: PRICE_MICROS, reference }) as const;
    const first = await transactions.run((tx) => billing.hold(owner.userId, charge('first'), tx));
    await transactions.run(async (tx) => {
      await billing.void(first, tx);
      await transactions.run((other) => billing.hold(owner.userId, charge('second'), other));
      expect(await booksOf(owner)).toMatchObject({ held: 2 * PRICE_MICROS });
    });
    expect(await booksOf(owner)).toMatchObject({ held: PRICE_MICROS });
  });

  it('frees a conversation whose process died, after its lease', async () => {
    const { uuid } = await ready(1);
    await app.query(
      "UPDATE conversations SET turn_token = gen_random_uuid(), turn_expires_at = now() + interval '1 second' WHERE id = $1",
      [uuid],
    );
    const startedAt = Date.now();
    await send(uuid).expect(200);
    expect(Date.now() - startedAt).toBeGreaterThan(700);
  });

  it('refuses every change of the ledger', async () => {
    await expect(app.query('UPDATE ledger_entries SET amount_micros = 0')).rejects.toThrow('never changed');
    await expect(app.query('DELETE FROM ledger_entries')).rejects.toThrow('never changed');
    await expect(app.query('TRUNCATE ledger_entries')).rejects.toThrow('never changed');
  });

  it('charges at once, and asks no model, while the AI is off', async () => {
    const { owner, uuid } = await ready(0.02);
    await app.as(owner).post(`/api/automate/conversations/${uuid}/disable-ai`).expect(200);
    model.clearRequests();
    const answers = await Promise.all([send(uuid), send(uuid), send(uuid)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400]);
    expect(model.getRequests()).toHaveLength(0);
    expect(await booksOf(owner)).toEqual({ balance: 0, held: 0, entries: 0, charged: 2 });
  });

  it('stops at the daily cap', async () => {
    const capped = await TestApp.start({
      OPENAI_BASE_URL: `${model.url}/v1`,
      RATE_LIMITS: 'on',
      DAILY_SPEND_CAP: '0.02',
    });
    try {
      const owner = await capped.account({ balanceUsd: 1 });
      const uuid = await openConversation(capped, await createAssistant(capped, owner));
      const message = () => capped.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' });
      await message().expect(200);
      await message().expect(200);
      const { body } = await message().expect(400);
      expect(body).toEqual({
        status: false,
        error: 'Daily spending limit reached. Please try again tomorrow.',
      });
    } finally {
      await capped.stop();
    }
  });
});
