import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/modules/accounts/members/role.js';
import { AuthRetentionService } from '../../src/modules/auth/auth-retention.service.js';
import { type TestAccount, TestApp } from '../support/app.js';

const OLD = 'correct horse battery';
const NEW = 'horse staple battery';
const NOT_FOUND = { message: 'Link de senha não encontrado, já usado ou expirado' };

describe('links by which members set a new password', () => {
  let app: TestApp;
  let owner: TestAccount;
  let serial = 0;

  beforeAll(async () => {
    app = await TestApp.start({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    owner = await app.account({ password: OLD });
  });
  afterAll(() => app.stop());

  /** Each caller has an address of its own, so that the limits of one test are not those of another. */
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const anywhere = () => from(`198.51.100.${serial % 250}`);

  async function join(role: Role, account: { token: string } = owner) {
    const email = `forgetful${++serial}@example.com`;
    const { body: invited } = await app
      .as(account)
      .post('/api/user/invitations')
      .send({ email, role })
      .expect(201);
    const person = { token: invited.data.token, name: 'Bia', password: OLD };
    const { body } = await app.http.post('/api/auth/join').set(anywhere()).send(person).expect(201);
    const { body: members } = await app.as(account).get('/api/user/members').expect(200);
    const { id } = members.members.find((member: { email: string }) => member.email === email);
    return { id: Number(id), email, token: String(body.token) };
  }

  const linkFor = async (id: number, caller: { token: string } = owner) => {
    const { body } = await app.as(caller).post(`/api/user/members/${id}/password-link`).expect(201);
    return body.data as { token: string; expires_at: string };
  };
  const reset = (token: string, password = NEW) => {
    serial += 1;
    return app.http.post('/api/auth/password/reset').set(anywhere()).send({ token, password });
  };
  const login = (email: string, password: string) => {
    serial += 1;
    return app.http.post('/api/auth/login').set(anywhere()).send({ email, password });
  };

  it('are made by an owner, shown once, and stored as a hash', async () => {
    const member = await join('operator');
    const { body } = await app.as(owner).post(`/api/user/members/${member.id}/password-link`).expect(201);
    expect(body).toEqual({
      message: 'Link de senha criado com sucesso',
      data: {
        token: expect.stringMatching(/^prosa_reset_\w{36}$/),
        expires_at: expect.any(String),
        emailed: false,
      },
    });
    const life = Date.parse(body.data.expires_at) - Date.now();
    expect(life).toBeGreaterThan(86_000_000);
    expect(life).toBeLessThanOrEqual(86_400_000);
    const rows = await app.query<{ row: string }>(
      `SELECT to_jsonb(links)::text AS row FROM password_links links WHERE member_id = $1
       UNION ALL SELECT to_jsonb(entry)::text FROM audit_log_entries entry WHERE user_id = $2`,
      [member.id, owner.userId],
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) expect(row).not.toContain('prosa_');
    const { body: log } = await app
      .as(owner)
      .get('/api/user/audit-log?action=createPasswordLink')
      .expect(200);
    expect(log.data[0]).toMatchObject({ resource_id: String(member.id), status: 201 });
    // Nothing changes by it: the old password is good, and so is the session.
    await login(member.email, OLD).expect(200);
    await app.as(member).get('/api/user/me').expect(200);
  });

  it('set a password, end all sessions of that person only, and sign in', async () => {
    const [member, other] = [await join('operator'), await join('viewer')];
    const { token } = await linkFor(member.id);
    const { body } = await reset(token).expect(200);
    expect(body).toEqual({
      message: 'Nova senha definida com sucesso',
      user: { id: owner.userId, name: 'Bia', email: member.email },
      token: expect.stringMatching(/^prosa_sess_/),
      expires_at: expect.any(String),
    });
    await app.as(member).get('/api/user/me').expect(401);
    const { body: own } = await app.as({ token: body.token }).get('/api/auth/sessions').expect(200);
    expect(own.sessions).toMatchObject([{ current: true }]);
    const { body: rights } = await app.as({ token: body.token }).get('/api/auth/session').expect(200);
    expect(rights).toMatchObject({ member_id: member.id, scopes: expect.arrayContaining(['chat']) });
    await app.as(other).get('/api/user/me').expect(200);
    await login(member.email, OLD).expect(401);
    await login(member.email, NEW).expect(200);
    await login(other.email, OLD).expect(200);
  });

  it('answer the same for a token that is wrong, used, void, expired or of a removed member', async () => {
    const member = await join('viewer');
    const used = (await linkFor(member.id)).token;
    await reset(used).expect(200);
    const first = (await linkFor(member.id)).token;
    const expired = (await linkFor(member.id)).token;
    await app.query("UPDATE password_links SET expires_at = now() - interval '1 s' WHERE member_id = $1", [
      member.id,
    ]);
    const gone = await join('viewer');
    const ofGone = (await linkFor(gone.id)).token;
    await app.as(owner).delete(`/api/user/members/${gone.id}`).expect(200);
    for (const token of ['prosa_reset_no', 'x'.repeat(100), used, first, expired, ofGone]) {
      expect((await reset(token).expect(404)).body).toEqual(NOT_FOUND);
    }
    await login(member.email, NEW).expect(200);
    await login(gone.email, NEW).expect(401);
  });

  it('are used once, also when two do so at the same moment', async () => {
    const member = await join('viewer');
    const { token } = await linkFor(member.id);
    const passwords = [NEW, `${NEW} 2`, `${NEW} 3`];
    const answers = await Promise.all(passwords.map((password) => reset(token, password)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    const won = passwords[answers.findIndex(({ status }) => status === 200)];
    const logins: boolean[] = [];
    for (const password of passwords) logins.push((await login(member.email, password)).status === 200);
    expect(passwords.filter((_, index) => logins[index])).toEqual([won]);
  });

  it('and a removal at the same moment leave no member, and fail in no other way', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await join('viewer');
      const { token } = await linkFor(member.id);
      const [answer, removal, again] = await Promise.all([
        reset(token),
        app.as(owner).delete(`/api/user/members/${member.id}`),
        app.as(owner).post(`/api/user/members/${member.id}/password-link`),
      ]);
      expect([200, 404]).toContain(answer.status);
      expect(removal.status).toBe(200);
      expect([201, 404]).toContain(again.status);
      await login(member.email, NEW).expect(401);
      expect(await app.query('SELECT FROM password_links WHERE member_id = $1', [member.id])).toEqual([]);
    }
  });

  it('outlive no other change of the password', async () => {
    const member = await join('viewer');
    const { token } = await linkFor(member.id);
    await app
      .as(member)
      .put('/api/auth/password')
      .set(anywhere())
      .send({ current_password: OLD, password: `${OLD} 2` })
      .expect(200);
    await reset(token).expect(404);
  });

  it('are kept to be tried again when the new password is refused', async () => {
    const member = await join('viewer');
    const { token } = await linkFor(member.id);
    for (const [password, field] of [
      ['password123', 'password'],
      [member.email, 'password'],
      ['short', 'password'],
    ] as const) {
      const { body } = await reset(token, password).expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    }
    const { body } = await app.http.post('/api/auth/password/reset').set(anywhere()).send({}).expect(422);
    expect(body.errors).toEqual({
      token: ['O campo token é obrigatório.'],
      password: ['O campo password é obrigatório.'],
    });
    await reset(token).expect(200);
  });

  it('let a person in who was locked out for wrong guesses at the old password', async () => {
    const member = await join('viewer');
    const { token } = await linkFor(member.id);
    let status = 401;
    for (let n = 0; n < 20 && status !== 429; n++) ({ status } = await login(member.email, `guess ${n}`));
    expect(status).toBe(429);
    await reset(token).expect(200);
    await login(member.email, NEW).expect(200);
  });

  it('are as many in a day as ten for a person', async () => {
    const [member, other] = [await join('viewer'), await join('viewer')];
    for (let n = 0; n < 10; n++) await linkFor(member.id);
    const refused = await app.as(owner).post(`/api/user/members/${member.id}/password-link`).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    await linkFor(other.id);
    await app.query(
      "UPDATE password_links SET created_at = created_at - interval '1 day' WHERE member_id = $1",
      [member.id],
    );
    await linkFor(member.id);
  });

  it('are guessed at no faster than passwords', async () => {
    let status = 404;
    for (let n = 0; n < 100 && status === 404; n++) {
      ({ status } = await app.http
        .post('/api/auth/password/reset')
        .set(from('203.0.113.9'))
        .send({ token: `prosa_reset_${n}`, password: NEW }));
    }
    expect(status).toBe(429);
  });

  it('are made by owners alone, for other members of their account, and never for its creator', async () => {
    const [member, boss, operator] = [await join('viewer'), await join('owner'), await join('operator')];
    const path = `/api/user/members/${member.id}/password-link`;
    await app.as(boss).post(path).expect(201);
    for (const caller of [operator, member]) await app.as(caller).post(path).expect(403);
    const { body: key } = await app
      .as(owner)
      .post('/api/user/api-keys')
      .send({ name: 'Report', scopes: ['read', 'chat', 'calls', 'campaigns'] })
      .expect(201);
    await app.as({ token: key.api_key.token }).post(path).expect(403);
    const stranger = await app.account();
    expect((await app.as(stranger).post(path).expect(404)).body).toEqual({
      message: 'Membro não encontrado',
    });
    const { body } = await app.as(boss).post(`/api/user/members/${boss.id}/password-link`).expect(400);
    expect(body).toEqual({
      message: 'Links de senha são para outros membros. Para trocar a sua senha, informe a atual.',
    });
    // The creator of the account is no member, so no member id refers to that person.
    await app
      .as(boss)
      .post(`/api/user/members/${owner.userId + 1_000_000}/password-link`)
      .expect(404);
  });

  it('are deleted when they have ended and count for no day any more', async () => {
    const member = await join('viewer');
    await linkFor(member.id);
    const { token } = await linkFor(member.id);
    await app.query(
      `UPDATE password_links SET created_at = created_at - interval '25 h', expires_at = expires_at - interval '25 h'
       WHERE member_id = $1 AND token_hash IS NULL`,
      [member.id],
    );
    await app.app.get(AuthRetentionService).sweep();
    expect(await app.query('SELECT id FROM password_links WHERE member_id = $1', [member.id])).toHaveLength(
      1,
    );
    await reset(token).expect(200);
  });
});
