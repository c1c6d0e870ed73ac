import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { AuthRetentionService } from '../../src/modules/auth/auth-retention.service.js';
import { TestApp } from '../support/app.js';

const PASSWORD = 'the right password';
const FREE_FAILURES = 10;

describe('Guessing at one account', () => {
  let app: TestApp;
  let other: TestApp;
  let addresses = 0;
  let accounts = 0;

  beforeAll(async () => {
    const environment = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
    app = await TestApp.start(environment);
    // A second process on the same database.
    other = await TestApp.start(environment, async () => app.database.url);
  });
  afterAll(async () => {
    await other.stop();
    await app.stop();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const newAddress = () => `198.51.100.${++addresses}`;
  const newEmail = () => `victim${++accounts}@example.com`;
  const victim = async () => (await app.account({ email: newEmail(), password: PASSWORD })).email;
  const login = (email: string, password: string, address: string, at = app) =>
    at.http.post('/api/auth/login').set('X-Forwarded-For', address).send({ email, password });
  const guess = (email: string, at = app) => login(email, 'a wrong password', newAddress(), at);
  /** Wrong guesses of strangers until the account makes them wait. */
  const exhaust = async (email: string) => {
    for (let i = 0; i <= FREE_FAILURES; i++) await guess(email).expect(401);
    await prolong();
    await guess(email).expect(429);
  };
  /** Makes waits that have begun long enough for the slowest machine. */
  const prolong = () =>
    app.query(
      "UPDATE login_backoffs SET blocked_until = now() + interval '1 minute' WHERE blocked_until > last_tried_at",
    );
  const subjects = async () =>
    (await app.query<{ count: number }>('SELECT count(*)::integer AS count FROM login_backoffs'))[0]?.count;

  it('comes to an end after a few guesses, from however many addresses and at however many processes', async () => {
    const email = await victim();
    const check = jest.spyOn(app.app.get(AccountsService), 'isLogin');
    const statuses: number[] = [];
    const begunMs = performance.now();
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) => guess(email, i % 2 === 0 ? app : other)),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // Waits of 1, 2, 4 and 8 seconds, one guess after each.
    const seconds = (performance.now() - begunMs) / 1_000;
    const allowed = FREE_FAILURES + 1 + Math.floor(Math.log2(seconds + 1));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(allowed);
    expect(check.mock.calls.length).toBeLessThanOrEqual(allowed);
  });

  it('answers with a longer waiting time after each failure', async () => {
    const email = await victim();
    await exhaust(email);
    const waitAfterFailure = async () => {
      await app.query('UPDATE login_backoffs SET blocked_until = now()');
      await guess(email).expect(401);
      const [row] = await app.query<{ seconds: string }>(
        'SELECT extract(epoch FROM blocked_until - last_tried_at) AS seconds FROM login_backoffs ORDER BY last_tried_at DESC LIMIT 1',
      );
      return Number(row?.seconds);
    };
    expect([await waitAfterFailure(), await waitAfterFailure(), await waitAfterFailure()]).toEqual([2, 4, 8]);
    await app.query('UPDATE login_backoffs SET failures = 1000 WHERE failures > $1', [FREE_FAILURES]);
    expect(await waitAfterFailure()).toBe(900);
    const { body, headers } = await guess(email).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(800);
    expect(body).toEqual({
      message: `Muitas requisições. Tente novamente em ${headers['retry-after']} segundos`,
      retry_after: Number(headers['retry-after']),
    });
  });

  it('does not lock out who logs in from an address that has logged in before', async () => {
    const email = await victim();
    const home = newAddress();
    await login(email, PASSWORD, home).expect(200);
    await exhaust(email);
    await login(email.toUpperCase(), PASSWORD, home, other).expect(200);
    await login(email, PASSWORD, newAddress()).expect(429);
  });

  it('slows only a known address by its own failures', async () => {
    const email = await victim();
    const home = newAddress();
    await login(email, PASSWORD, home).expect(200);
    await login(email, 'mistyped', home).expect(401);
    // Its row is the only one of a single failure: that of the account was taken back.
    await app.query(
      "UPDATE login_backoffs SET failures = 20, blocked_until = now() + interval '1 minute' WHERE failures = 1",
    );
    await login(email, PASSWORD, home).expect(429);
    await login(email, PASSWORD, newAddress()).expect(200);
  });

  it('affects no session and no key: they keep working, and the password can be changed', async () => {
    const owner = await app.account({ email: newEmail(), password: PASSWORD });
    const { body } = await login(owner.email, PASSWORD, newAddress()).expect(200);
    await exhaust(owner.email);
    const session = app.as({ token: body.token });
    await session.get('/api/user/me').expect(200);
    await app.as(owner).get('/api/user/me').expect(200);
    await session
      .put('/api/auth/password')
      .set('X-Forwarded-For', newAddress())
      .send({ current_password: PASSWORD, password: 'another long password' })
      .expect(200);
    await session.get('/api/user/me').expect(200);
  });

  it('is answered for an e-mail without an account exactly as for one with', async () => {
    const answers = async (email: string) => {
      const found: unknown[] = [];
      for (let i = 0; i < FREE_FAILURES + 3; i++) {
        if (i === FREE_FAILURES + 1) await prolong();
        const { status, text } = await guess(email);
        found.push([status, text.replace(/\d+/, 'n')]);
      }
      return found;
    };
    expect(await answers(newEmail())).toEqual(await answers(await victim()));
  });

  it('does not count logins that succeed, so that many in a row are no guessing', async () => {
    const email = await victim();
    for (let i = 0; i < FREE_FAILURES + 5; i++) await login(email, PASSWORD, newAddress()).expect(200);
  });

  it('with a session in hand is slowed as well: the current password cannot be tried out', async () => {
    const email = await victim();
    const { body } = await login(email, PASSWORD, newAddress()).expect(200);
    const change = (current: string) =>
      app
        .as({ token: body.token })
        .put('/api/auth/password')
        .set('X-Forwarded-For', newAddress())
        .send({ current_password: current, password: 'another long password' });
    for (let i = 0; i <= FREE_FAILURES; i++) await change('a wrong password').expect(422);
    await prolong();
    await change(PASSWORD).expect(429);
    await app.query('UPDATE login_backoffs SET blocked_until = now()');
    await change(PASSWORD).expect(200);
  });

  it('with a session is counted for that person only, not for other members of the account', async () => {
    const owner = await victim();
    const { body: ofOwner } = await login(owner, PASSWORD, newAddress()).expect(200);
    const email = newEmail();
    const { body: invited } = await app
      .as({ token: ofOwner.token })
      .post('/api/user/invitations')
      .send({ email, role: 'owner' })
      .expect(201);
    const { body: ofMember } = await app.http
      .post('/api/auth/join')
      .set('X-Forwarded-For', newAddress())
      .send({ token: invited.data.token, name: 'Ana', password: 'the password of a member' })
      .expect(201);
    const change = (token: string, current: string, password: string) =>
      app
        .as({ token })
        .put('/api/auth/password')
        .set('X-Forwarded-For', newAddress())
        .send({ current_password: current, password });
    for (let i = 0; i <= FREE_FAILURES; i++)
      await change(ofMember.token, 'a wrong password', 'another long password').expect(422);
    await prolong();

    await change(ofOwner.token, PASSWORD, 'the next password of the owner').expect(200);
    await change(ofMember.token, 'the password of a member', 'another long password').expect(429);
  });

  it('leaves no trace once it means nothing any more', async () => {
    await guess(newEmail()).expect(401);
    expect(await subjects()).toBeGreaterThan(0);
    const sweep = () => app.app.get(AuthRetentionService, { strict: false }).sweep();
    await app.query(
      "UPDATE login_backoffs SET last_tried_at = now() - interval '23 hours', blocked_until = now()",
    );
    const before = await subjects();
    await sweep();
    expect(await subjects()).toBe(before);
    await app.query("UPDATE login_backoffs SET last_tried_at = now() - interval '25 hours'");
    await app.query("UPDATE known_addresses SET last_login_at = now() - interval '91 days'");
    await app.query("UPDATE sessions SET expires_at = now() - interval '1 second'");
    await sweep();
    expect(await subjects()).toBe(0);
    expect(await app.query('SELECT FROM known_addresses')).toEqual([]);
    expect(await app.query('SELECT FROM sessions')).toEqual([]);
  });
});
