import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addPhoneNumber } from '../support/campaign-builders.js';
import { createAssistant } from '../support/builders.js';
import { addRun } from '../support/call-rows.js';
import { Operators } from '../support/transfer-offers.js';

const GONE = { message: 'Esta ligação não está mais disponível para atender' };
const TAKEN = { message: 'Outra pessoa já atendeu esta ligação' };

interface Who {
  readonly token: string;
}

describe('/api/user/transfer-offers', () => {
  let app: TestApp;
  let owner: TestAccount;
  let database: Database;
  let operators: Operators;

  beforeAll(async () => {
    app = await TestApp.start();
    database = app.app.get(Database);
    owner = await app.account({ password: 'correct horse battery' });
    operators = new Operators(app, owner);
  });
  afterAll(() => app.stop());

  /** A call of a voice process that never answers. */
  async function call(): Promise<number> {
    const calls = app.app.get(CallsService);
    const { id } = await calls.open(owner.userId, { assistantName: 'Bia', type: 'web', carrier: 'web' });
    await database.query("UPDATE calls SET status = 'in-progress', answered_at = now() WHERE id = $1", [id]);
    const voiceProcess = randomUUID();
    await database.query(
      `INSERT INTO voice_processes (id, address, capacity, load, carriers, draining, starting, heartbeat_at)
       VALUES ($1, '127.0.0.1:1', 5, 0, '{web}', false, false, now())`,
      [voiceProcess],
    );
    await addRun(database, id, owner.userId, `stage = 'open', voice_process_id = '${voiceProcess}'`);
    return id;
  }

  async function offer(
    callId: number,
    status = 'ringing',
    acceptedBy: object | null = null,
  ): Promise<number> {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO transfer_offers (user_id, call_id, role, status, briefing, accepted_by, expires_at)
       VALUES ($1, $2, 'operator', $3, 'Maria pede um reembolso.', $4, now() + interval '30 seconds') RETURNING id`,
      [owner.userId, callId, status, acceptedBy && JSON.stringify(acceptedBy)],
    );
    return row!.id;
  }

  const list = (who: Who) => app.as(who).get('/api/user/transfer-offers');
  const answer = (who: Who, id: number, how: string) =>
    app.as(who).post(`/api/user/transfer-offers/${id}/${how}`);

  async function key(scopes: readonly string[]): Promise<Who> {
    const { body } = await app.as(owner).post('/api/user/api-keys').send({ name: 'one', scopes }).expect(201);
    return { token: body.api_key.token as string };
  }

  it('lists what rings, to people who take calls and to keys', async () => {
    const ana = await operators.hire('Ana Souza');
    const callId = await call();
    const id = await offer(callId);
    await offer(await call(), 'ended');
    const expected = {
      data: [
        {
          id,
          call_id: callId,
          assistant_name: 'Bia',
          customer_phone: null,
          briefing: 'Maria pede um reembolso.',
          expires_at: expect.any(String),
        },
      ],
    };
    expect((await list(ana).expect(200)).body).toEqual({ data: [] });
    await operators.available(ana);
    expect((await list(ana).expect(200)).body).toEqual(expected);
    expect((await list(await key(['calls'])).expect(200)).body).toEqual(expected);
    await app.http.get('/api/user/transfer-offers').expect(401);
    await list(await key(['read', 'chat', 'campaigns', 'admin'])).expect(403);
    await database.query('DELETE FROM active_calls WHERE call_id = $1', [callId]);
    expect((await list(ana).expect(200)).body).toEqual({ data: [] });
  });

  it('declines for one person', async () => {
    const [ana, bruno] = [await operators.hire('Ana Lima'), await operators.hire('Bruno Lima')];
    await Promise.all([operators.available(ana), operators.available(bruno)]);
    const id = await offer(await call());
    expect((await answer(ana, id, 'decline').expect(200)).body).toEqual({ message: 'Ligação recusada' });
    await answer(ana, id, 'decline').expect(200);
    expect((await list(ana).expect(200)).body.data).toEqual([]);
    expect((await list(bruno).expect(200)).body.data).toHaveLength(1);
    expect((await answer(ana, id, 'accept').expect(409)).body).toEqual(GONE);
  });

  it('refuses what is taken, over, or of another account', async () => {
    const ana = await operators.hire('Ana Paz');
    const other = { key: 'member 999999', memberId: 999_999, memberName: 'Bruno' };
    const taken = await offer(await call(), 'held', other);
    const over = await offer(await call(), 'ended');
    const stranger = await app.account();
    for (const how of ['accept', 'decline']) {
      expect((await answer(ana, taken, how).expect(409)).body).toEqual(TAKEN);
      expect((await answer(ana, over, how).expect(409)).body).toEqual(GONE);
      expect((await answer(stranger, taken, how).expect(404)).body).toEqual({
        message: 'Oferta não encontrada',
      });
      await answer(ana, 1_999_999_999, how).expect(404);
    }
  });

  it('says when the process of the call does not hear of it', async () => {
    const ana = await operators.hire('Ana Prado');
    const id = await offer(await call());
    const { headers } = await answer(ana, id, 'accept').expect(503);
    expect(headers['retry-after']).toBe('2');
  });
});

describe('warm_call_transfer to members', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
  });
  afterAll(() => app.stop());

  const TARGET = { type: 'members', role: 'operator' };
  const tool = (more: object = {}) => ({ type: 'warm_call_transfer', description: 'Quando pedem', ...more });

  async function save(...tools: readonly object[]) {
    const { id } = await createAssistant(app, owner);
    const { body, status } = await app.as(owner).put(`/api/user/assistant/${id}`).send({ tools });
    if (status !== 200) return { errors: Object.keys(body.errors as object) };
    return { tools: (await app.as(owner).get(`/api/user/assistant/${id}`)).body.tools as object[] };
  }

  it('needs no supervisor, and may have one', async () => {
    const number = await addPhoneNumber(app, owner);
    const phone = { supervisor_phone: '+5511987654321', outbound_phone_id: number };
    const { tools } = await save(tool({ target: TARGET }), tool({ target: TARGET, ...phone }), tool(phone));
    expect(tools).toMatchObject([{ target: TARGET }, { target: TARGET, ...phone }, phone]);
    expect(tools?.map((one) => 'target' in one)).toEqual([true, true, false]);
    expect(tools?.[0]).not.toHaveProperty('supervisor_phone');
  });

  it.each([
    ['a target of another type', { target: { type: 'queue', role: 'operator' } }, ['tools.0.target.type']],
    ['another role', { target: { type: 'members', role: 'viewer' } }, ['tools.0.target.role']],
    ['no role', { target: { type: 'members' } }, ['tools.0.target.role']],
    ['a target that is no object', { target: 'members' }, ['tools.0.target']],
    [
      'a phone that is none',
      { target: TARGET, supervisor_phone: 'boss' },
      ['tools.0.supervisor_phone', 'tools.0.outbound_phone_id'],
    ],
    [
      'a phone without the number to call from',
      { target: TARGET, supervisor_phone: '+5511987654321' },
      ['tools.0.outbound_phone_id'],
    ],
    [
      'neither a target nor a phone',
      { target: null },
      ['tools.0.supervisor_phone', 'tools.0.outbound_phone_id'],
    ],
  ])('is refused with %s', async (_what, fields, errors) => {
    expect(await save(tool(fields))).toEqual({ errors });
  });
});
