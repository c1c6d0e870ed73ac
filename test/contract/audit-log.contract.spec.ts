import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { COMMANDS } from '../../src/cli/account/account-commands.js';
import { Database } from '../../src/database/database.js';
import { AuditLogRepository } from '../../src/modules/audit/audit-log.repository.js';
import { AuditLogService } from '../../src/modules/audit/audit-log.service.js';
import { auditEn } from '../../web/console/src/pages/audit/en.js';
import { auditPt } from '../../web/console/src/pages/audit/pt.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember } from '../support/builders.js';

const PATH = '/api/user/audit-log';
const CHANGES = ['post', 'put', 'patch', 'delete'];
/** Reading and typing change nothing that an auditor needs. */
const UNAUDITED = [
  'markConversationRead',
  'markConversationUnread',
  'readLeadColumns',
  'showTyping',
  'testNumberRouting',
];
/** Routes that begin a session, which have no caller before. */
const SIGN_INS = [
  'acceptInvitation',
  'beginBrowserSession',
  'beginSessionByLink',
  'confirmOidcLink',
  'finishOidcSignIn',
  'login',
  'register',
  'resetPassword',
];
/** Commands for accounts that change nothing, or take the log of the account along. */
const WITHOUT_ENTRY = ['list', 'show', 'delete'];
const UUID = '5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly resource_id: string | null;
  readonly status: number | null;
}

describe('The audit log', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({ AUDIT_RETENTION_DAYS: '30' });
    owner = await app.account();
  }, 60_000);
  afterAll(() => app.stop());

  const read = async (
    account: TestAccount,
    query = '',
  ): Promise<{ data: Entry[]; next_cursor: string | null }> =>
    (
      await app
        .as(account)
        .get(PATH + query)
        .expect(200)
    ).body;
  /** Routes that change something for a known caller. */
  const changes = () =>
    app.contract.routes.filter(
      ({ method, operation }) =>
        CHANGES.includes(method) &&
        (operation.security ?? []).length > 0 &&
        (operation.security ?? []).every((one) => Object.keys(one).length > 0),
    );
  const addNumber = (account: TestAccount, phone_number: string) =>
    app.as(account).post('/api/user/do-not-call').send({ phone_number, reason: 'segredo' });

  it('has a line for every route that changes something for a known caller, but for those that say they need none', async () => {
    const routes = changes();
    expect(routes.length).toBeGreaterThan(60);
    const missing: (string | undefined)[] = [];
    for (const { method, path, operation } of routes) {
      const caller = await app.account();
      const url = path.replace(/\{uuid\}/g, UUID).replace(/\{\w+\}/g, '1999999999');
      await app.as(caller)[method](url).send({});
      const rows = await app.query('SELECT action FROM audit_log_entries WHERE user_id = $1', [
        caller.userId,
      ]);
      if (rows.length === 1 && rows[0]?.action === operation.operationId) continue;
      missing.push(operation.operationId);
    }
    expect(new Set(missing)).toEqual(new Set(UNAUDITED));
  }, 120_000);

  it.each([
    ['Portuguese', auditPt],
    ['English', auditEn],
  ])('has a text for each of its actions in the console, in %s', (_language, { actions }) => {
    const commands = Object.keys(COMMANDS).filter((name) => !WITHOUT_ENTRY.includes(name));
    const names = [
      ...changes().map(({ operation }) => operation.operationId ?? ''),
      ...SIGN_INS,
      ...commands.map((name) => `account.${name}`),
    ];
    expect(commands.length).toBeGreaterThan(5);
    const withoutText = names.filter((name) => !UNAUDITED.includes(name) && !Object.hasOwn(actions, name));
    expect(withoutText).toEqual([]);
  });

  it('says who did what to what, when, from which network and with which outcome, and nothing of what was sent', async () => {
    const added = (await addNumber(owner, '+5511987654321').expect(201)).body.data.id;
    await app.as(owner).delete(`/api/user/do-not-call/${added}`).expect(200);
    await app.as(owner).delete('/api/user/do-not-call/11987654321').expect(404);
    const [key] = await app.query<{ id: number }>('SELECT id FROM api_keys WHERE user_id = $1', [
      owner.userId,
    ]);
    const { data } = await read(owner);
    const entry = {
      via: 'api-key',
      token_id: key?.id,
      member_id: null,
      member_name: null,
      network: '127.0.0.0/24',
    };
    expect(data.slice(0, 3)).toEqual([
      expect.objectContaining({ ...entry, action: 'deleteDoNotCall', resource_id: null, status: 404 }),
      expect.objectContaining({
        ...entry,
        action: 'deleteDoNotCall',
        resource_id: String(added),
        status: 200,
      }),
      expect.objectContaining({ ...entry, action: 'addDoNotCall', resource_id: String(added), status: 201 }),
    ]);
    const rows = await app.query<{ row: string }>(
      'SELECT to_jsonb(entry)::text AS row FROM audit_log_entries entry WHERE user_id = $1',
      [owner.userId],
    );
    for (const { row } of rows) expect(row).not.toMatch(/segredo|987654321|prosa_/);
  });

  it('names the member who made a change, by id alone when the member has gone', async () => {
    const account = await app.account();
    const { id, token } = await addMember(app, account);
    await app
      .as({ token })
      .post('/api/user/do-not-call')
      .send({ phone_number: '+5511987654321' })
      .expect(201);
    const newest = async () => (await read(account, '?action=addDoNotCall')).data[0];
    expect(await newest()).toMatchObject({ via: 'session', member_id: id, member_name: 'Bia' });
    await app.as(account).delete(`/api/user/members/${id}`).expect(200);
    expect(await newest()).toMatchObject({ member_id: id, member_name: null });
  });

  it('is read page by page, newest first, by action and by day, and of the own account alone', async () => {
    const account = await app.account();
    for (let n = 0; n < 5; n++) await addNumber(account, `+551198765000${n}`).expect(201);
    await app.as(account).post('/api/user/folder').send({ name: 'Pasta' }).expect(201);
    const actions: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await read(account, `?limit=4&cursor=${cursor}`);
      actions.push(...page.data.map(({ action }) => action));
      cursor = page.next_cursor;
    }
    expect(actions).toEqual(['createFolder', ...Array.from({ length: 5 }, () => 'addDoNotCall')]);
    expect((await read(account, '?action=createFolder')).data).toHaveLength(1);
    expect((await read(account, '?date_to=2020-01-01')).data).toEqual([]);
    expect((await read(account, '?date_from=2020-01-01')).data).toHaveLength(6);
    expect((await read(await app.account())).data).toEqual([]);
    await app.as(account).get(`${PATH}?cursor=nonsense`).expect(422);
    for (const at of ['0000-01-01T00:00:00.000Z', '-271821-04-20T00:00:00.000Z']) {
      const cursor = Buffer.from(`${at} ${randomUUID()}`).toString('base64url');
      await app.as(account).get(PATH).query({ cursor }).expect(422);
    }
  });

  const deletionBy = ({ userId }: TestAccount) =>
    ({ userId, via: 'api-key', tokenId: 1, memberId: null, network: 'x', action: 'deleteLead' }) as const;

  it('has the line of a change whose process died before its answer, with an unknown outcome', async () => {
    const account = await app.account();
    await app.app.get(AuditLogService).begin(deletionBy(account));
    expect((await read(account)).data).toEqual([
      expect.objectContaining({ action: 'deleteLead', status: null, resource_id: null }),
    ]);
  });

  it('writes the lines of changes that begin at the same time in two statements', async () => {
    const account = await app.account();
    const add = jest.spyOn(app.app.get(AuditLogRepository), 'addAll');
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => app.app.get(AuditLogService).begin(deletionBy(account))),
    );
    // The first does not wait for the others; those that arrive during the first write go together.
    expect(add.mock.calls.map(([entries]) => entries.length)).toEqual([1, 19]);
    add.mockRestore();
    const rows = await app.query('SELECT id FROM audit_log_entries WHERE user_id = $1', [account.userId]);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids));
  });

  it('lets nothing be changed that it cannot write down', async () => {
    const account = await app.account();
    const add = jest
      .spyOn(app.app.get(AuditLogRepository), 'addAll')
      .mockRejectedValueOnce(new Error('the disk is full'));
    await addNumber(account, '+5511987654321').expect(500);
    add.mockRestore();
    const rows = await app.query('SELECT id FROM do_not_call_entries WHERE user_id = $1', [account.userId]);
    expect(rows).toEqual([]);
  });

  it('writes an outcome later when the database was away for it', async () => {
    const account = await app.account();
    const settle = jest
      .spyOn(app.app.get(AuditLogRepository), 'settle')
      .mockRejectedValueOnce(new Error('the database is away'));
    await addNumber(account, '+5511987654321').expect(201);
    await read(account);
    settle.mockRestore();
    expect((await read(account)).data[0]).toMatchObject({ action: 'addDoNotCall', status: 201 });
  });

  it('lets no line be changed afterwards', async () => {
    await read(owner);
    const database = app.app.get(Database);
    for (const set of [
      "action = 'other'",
      'status = 500',
      'user_id = 1',
      'member_id = 1',
      'created_at = now()',
    ]) {
      await expect(
        database.query(`UPDATE audit_log_entries SET ${set} WHERE user_id = $1`, [owner.userId]),
      ).rejects.toThrow('audit entries are never changed');
    }
  });

  it('forgets lines after AUDIT_RETENTION_DAYS, more than one batch of them, and keeps younger ones', async () => {
    const account = await app.account();
    await app.query(
      `INSERT INTO audit_log_entries (id, user_id, via, action, status, created_at)
       VALUES (gen_random_uuid(), NULL, 'operator', 'restore', 200, now() - interval '31 days'),
         (gen_random_uuid(), NULL, 'operator', 'keys.reseal', 200, now())`,
    );
    await app.query(
      `INSERT INTO audit_log_entries (id, user_id, via, token_id, network, action, status, created_at)
       SELECT gen_random_uuid(), $1, 'api-key', 1, 'x', CASE WHEN n > 1200 THEN 'young' ELSE 'old' END, 200,
         now() - interval '30 days' + CASE WHEN n > 1200 THEN interval '1 minute' ELSE interval '-1 minute' END
       FROM generate_series(1, 1202) n`,
      [account.userId],
    );
    await app.app.get(AuditLogService).sweep();
    const rows = await app.query('SELECT DISTINCT action FROM audit_log_entries WHERE user_id = $1', [
      account.userId,
    ]);
    expect(rows).toEqual([{ action: 'young' }]);
    const ofNoAccount = await app.query('SELECT action FROM audit_log_entries WHERE user_id IS NULL');
    expect(ofNoAccount).toEqual([{ action: 'keys.reseal' }]);
  });
});
