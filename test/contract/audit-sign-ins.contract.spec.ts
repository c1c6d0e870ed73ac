import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PasswordLinksService } from '../../src/modules/auth/password-links/password-links.service.js';
import { RefusedSignInsRepository } from '../../src/modules/audit/sign-ins/refused-sign-ins.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember } from '../support/builders.js';

const PASSWORD = 'correct horse battery';
const WRONG = 'a wrong guess at it';
const MAX_AN_HOUR = 20;
const NETWORK = '127.0.0.0/24';

interface Entry {
  readonly action: string;
  readonly via: string;
  readonly token_id: number | null;
  readonly member_id: number | null;
  readonly network: string | null;
  readonly resource_id: string | null;
  readonly status: number | null;
}

describe('Sign-ins in the audit log', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ password: PASSWORD });
  });
  afterAll(() => app.stop());

  const entries = async (query = ''): Promise<Entry[]> =>
    (await app.as(owner).get(`/api/user/audit-log${query}`).expect(200)).body.data;
  const login = (email: string, password: string) =>
    app.http.post('/api/auth/login').send({ email, password });
  const newestSession = async () => {
    const [session] = await app.query<{ id: number; member: number | null }>(
      'SELECT id, member_id AS member FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
      [owner.userId],
    );
    return session;
  };
  const signedIn = async (action: string) => ({
    action,
    via: 'session',
    token_id: (await newestSession())?.id,
    member_id: (await newestSession())?.member,
    network: NETWORK,
    resource_id: null,
    status: 200,
  });

  it('have the session, the network and the operation, of the owner and of a member', async () => {
    await login(owner.email, PASSWORD).expect(200);
    expect(await entries()).toEqual([expect.objectContaining(await signedIn('login'))]);

    const { email } = await addMember(app, owner, { role: 'viewer' });
    const joined = await signedIn('acceptInvitation');
    expect(joined.member_id).toEqual(expect.any(Number));
    expect((await entries())[0]).toMatchObject(joined);

    const body = { email, password: PASSWORD };
    await app.http.post('/api/auth/session').send(body).expect(200);
    expect((await entries())[0]).toMatchObject(await signedIn('beginBrowserSession'));
  });

  it('have links of the operator and new passwords', async () => {
    const links = app.app.get(PasswordLinksService);
    const person = { userId: owner.userId, memberId: null };
    const { token } = await links.makeSignIn(person);
    await app.http.post('/api/auth/session/link').send({ token }).expect(200);
    expect((await entries())[0]).toMatchObject(await signedIn('beginSessionByLink'));

    const reset = await links.make(person, async () => undefined);
    await app.http
      .post('/api/auth/password/reset')
      .send({ token: reset.token, password: `new ${PASSWORD}` })
      .expect(200);
    expect((await entries())[0]).toMatchObject(await signedIn('resetPassword'));
  });

  it('have the end of a session', async () => {
    const { body } = await login(owner.email, PASSWORD).expect(200);
    await app.as({ token: body.token }).post('/api/auth/logout').expect(200);
    const [{ id } = { id: 0 }] = await app.query<{ id: number }>(
      "SELECT token_id AS id FROM audit_log_entries WHERE user_id = $1 AND action = 'login'",
      [owner.userId],
    );
    expect((await entries())[0]).toMatchObject({
      action: 'logout',
      via: 'session',
      token_id: id,
      status: 200,
    });
  });

  it('have one entry for a session that begins with a key, or with a password next to a key', async () => {
    await app.as(owner).post('/api/auth/session').send({}).expect(200);
    expect(await entries()).toEqual([
      expect.objectContaining({ action: 'beginBrowserSession', via: 'api-key', status: 200 }),
    ]);
    await app
      .as(owner)
      .post('/api/auth/session')
      .send({ email: owner.email, password: PASSWORD })
      .expect(200);
    expect((await entries()).map(({ via }) => via)).toEqual(['session', 'api-key']);
  });

  it('have those that were refused, of the owner and of a member, and nothing of what was typed', async () => {
    const { email } = await addMember(app, owner, { role: 'viewer' });
    const { member: memberId } = (await newestSession()) ?? {};
    await login(owner.email.toUpperCase(), WRONG).expect(401);
    await app.http.post('/api/auth/session').send({ email, password: WRONG }).expect(401);
    const refused = { via: 'session', token_id: null, network: NETWORK, resource_id: null, status: 401 };
    expect((await entries()).slice(0, 2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...refused, action: 'login', member_id: null }),
        expect.objectContaining({ ...refused, action: 'beginBrowserSession', member_id: memberId }),
      ]),
    );
    const rows = await app.query<{ row: string }>('SELECT to_jsonb(e)::text AS row FROM audit_log_entries e');
    for (const { row } of rows) expect(row).not.toMatch(/guess|correct horse|@|prosa_/);
  });

  it('have nothing of an e-mail without an account', async () => {
    const count = () => app.query('SELECT count(*) FROM audit_log_entries');
    const before = await count();
    await login('unknown@example.com', WRONG).expect(401);
    await entries();
    expect(await count()).toEqual(before);
  });

  it('have at most so many refusals of an account within an hour, and those of others as well', async () => {
    const other = await app.account({ password: PASSWORD });
    for (let turn = 0; turn < 2; turn++) {
      const guesses = Array.from({ length: MAX_AN_HOUR - 5 }, () => login(owner.email, WRONG).expect(401));
      await Promise.all(guesses);
      expect(await entries('?action=login&limit=200')).toHaveLength(
        turn === 0 ? MAX_AN_HOUR - 5 : MAX_AN_HOUR,
      );
    }
    await login(other.email, WRONG).expect(401);
    await entries();
    const rows = await app.query('SELECT FROM audit_log_entries WHERE user_id = $1', [other.userId]);
    expect(rows).toHaveLength(1);
    // A right one is written whatever was refused before.
    await login(owner.email, PASSWORD).expect(200);
    expect((await entries('?action=login'))[0]).toMatchObject({ status: 200 });
    // The bound is of an hour.
    await app.query('DELETE FROM audit_log_entries WHERE user_id = $1 AND status = 401', [owner.userId]);
    await app.query(
      `INSERT INTO audit_log_entries (id, user_id, via, action, status, created_at)
       SELECT gen_random_uuid(), $1, 'session', 'login', 401, now() - interval '61 minutes'
       FROM generate_series(1, 20)`,
      [owner.userId],
    );
    await login(owner.email, WRONG).expect(401);
    expect((await entries('?action=login'))[0]).toMatchObject({ status: 401, network: NETWORK });
  });

  it('begin no session that cannot be written down', async () => {
    await app.query(
      `ALTER TABLE audit_log_entries ADD CONSTRAINT no_login CHECK (action <> 'login') NOT VALID`,
    );
    await login(owner.email, PASSWORD).expect(500);
    await app.query('ALTER TABLE audit_log_entries DROP CONSTRAINT no_login');
    expect(await newestSession()).toBeUndefined();
  });

  it('are answered before a refusal is written, and when it cannot be written', async () => {
    const add = jest
      .spyOn(app.app.get(RefusedSignInsRepository), 'addBounded')
      .mockRejectedValueOnce(new Error('the disk is full'));
    await login(owner.email, WRONG).expect(401);
    expect(add).not.toHaveBeenCalled();
    expect(await entries()).toEqual([]);
    expect(add).toHaveBeenCalledTimes(1);
    add.mockRestore();
    await login(owner.email, WRONG).expect(401);
    expect(await entries()).toHaveLength(1);
  });
});

describe('Sign-ins that have to wait', () => {
  it('are in the audit log with 429', async () => {
    const app = await TestApp.start({ RATE_LIMITS: 'on' });
    try {
      const owner = await app.account({ password: PASSWORD });
      await app.query(
        `INSERT INTO login_backoffs (subject, failures, blocked_until, last_tried_at)
         VALUES (sha256(convert_to($1, 'UTF8')), 20, now() + interval '1 hour', now())`,
        [JSON.stringify(['login', owner.email])],
      );
      await app.http.post('/api/auth/login').send({ email: owner.email, password: PASSWORD }).expect(429);
      const { body } = await app.as(owner).get('/api/user/audit-log').expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({ action: 'login', status: 429, token_id: null, network: NETWORK }),
      ]);
    } finally {
      await app.stop();
    }
  }, 60_000);
});
