import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { needOf, type Need } from '../../src/common/auth/scopes.js';
import type { DocumentedRoute } from '../../src/contract/contract-check.js';
import { type Role, ROLES } from '../../src/modules/accounts/members/role.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { pathOf, STREAMS } from '../support/route-needs.js';

const PASSWORD = 'correct horse battery';
const OTHER_PASSWORD = 'horse staple battery';

/** What a person of a role may do besides ending their own session. */
const MAY: Readonly<Record<Role, readonly Need[]>> = {
  owner: ['read', 'chat', 'calls', 'campaigns', 'admin'],
  operator: ['read', 'chat', 'calls', 'campaigns'],
  viewer: ['read'],
};

describe('members of an account', () => {
  let app: TestApp;
  let owner: TestAccount;
  let serial = 0;

  beforeAll(async () => {
    app = await TestApp.start({ OPEN_REGISTRATION: 'true' });
    owner = await app.account({ balanceUsd: 5, password: PASSWORD });
  });
  afterAll(() => app.stop());

  const newEmail = () => `member${++serial}@example.com`;

  async function invite(role: Role, email = newEmail(), account: { token: string } = owner) {
    const { body } = await app.as(account).post('/api/user/invitations').send({ email, role }).expect(201);
    return body.data as { id: number; email: string; token: string; expires_at: string };
  }

  async function join(role: Role, account: { token: string } = owner) {
    const { token, email } = await invite(role, newEmail(), account);
    const { body } = await app.http
      .post('/api/auth/join')
      .send({ token, name: 'Bia', password: PASSWORD })
      .expect(201);
    const { body: members } = await app.as(account).get('/api/user/members').expect(200);
    const { id } = members.members.find((member: { email: string }) => member.email === email);
    return { id: Number(id), email, token: String(body.token), body };
  }

  it('come by an invitation, whose token is shown once and stored as a hash', async () => {
    const { token, email, expires_at: expiresAt } = await invite('operator');
    expect(token).toMatch(/^prosa_inv_\w{36}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(6 * 86_400_000);
    const rows = await app.query('SELECT token_hash::text, email FROM invitations WHERE email = $1', [email]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);

    const { body } = await app.http
      .post('/api/auth/join')
      .send({ token, name: 'Bia', password: PASSWORD })
      .expect(201);
    expect(body).toEqual({
      message: 'Convite aceito com sucesso',
      user: { id: owner.userId, name: 'Bia', email },
      token: expect.stringMatching(/^prosa_sess_/),
      expires_at: expect.any(String),
    });
    const { body: me } = await app.as({ token: body.token }).get('/api/user/me').expect(200);
    expect(me).toEqual({ name: 'Bia', email, total_balance: 5 });
  });

  it('take an invitation once, also when two do so at the same moment', async () => {
    const { token } = await invite('viewer');
    const accept = () => app.http.post('/api/auth/join').send({ token, name: 'Bia', password: PASSWORD });
    const answers = await Promise.all([accept(), accept()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404]);
    await accept().expect(404);
  });

  it('are not let in by an invitation that has ended, was called back or was made anew', async () => {
    const accept = (token: string) =>
      app.http.post('/api/auth/join').send({ token, name: 'Bia', password: PASSWORD });
    const expired = await invite('viewer');
    await app.query("UPDATE invitations SET expires_at = now() - interval '1 s' WHERE id = $1", [expired.id]);
    await accept(expired.token).expect(404);
    const called = await invite('viewer');
    await app.as(owner).delete(`/api/user/invitations/${called.id}`).expect(200);
    await accept(called.token).expect(404);
    const first = await invite('viewer');
    const second = await invite('operator', first.email);
    await accept(first.token).expect(404);
    await accept(second.token).expect(201);
  });

  it('have an e-mail of their own, that opens no account and is not invited again to this account', async () => {
    const member = await join('viewer');
    for (const email of [owner.email, member.email.toUpperCase()]) {
      const { body } = await app
        .as(owner)
        .post('/api/user/invitations')
        .send({ email, role: 'viewer' })
        .expect(422);
      expect(body.errors).toEqual({ email: ['Este e-mail já está em uso.'] });
    }
    await app.http
      .post('/api/auth/register')
      .send({ name: 'Bia', email: member.email, password: PASSWORD })
      .expect(422);
  });

  it('sign in with their own password, and change it for themselves alone', async () => {
    const member = await join('viewer');
    const login = (email: string, password: string) =>
      app.http.post('/api/auth/login').send({ email, password });
    await login(member.email, 'wrong password').expect(401);
    const { body: second } = await login(member.email.toUpperCase(), PASSWORD).expect(200);
    const { body: owners } = await login(owner.email, PASSWORD).expect(200);
    await app
      .as(member)
      .put('/api/auth/password')
      .send({ current_password: 'wrong password', password: OTHER_PASSWORD })
      .expect(422);
    await app
      .as(member)
      .put('/api/auth/password')
      .send({ current_password: PASSWORD, password: OTHER_PASSWORD })
      .expect(200);
    await login(member.email, PASSWORD).expect(401);
    await login(member.email, OTHER_PASSWORD).expect(200);
    // Their other sessions have ended; the owner's have not.
    await app.as({ token: second.token }).get('/api/user/me').expect(401);
    await app.as({ token: owners.token }).get('/api/user/me').expect(200);
    await login(owner.email, PASSWORD).expect(200);
  });

  it('see and end their own sessions alone', async () => {
    const member = await join('operator');
    const { body: owners } = await app.http
      .post('/api/auth/login')
      .send({ email: owner.email, password: PASSWORD })
      .expect(200);
    const { body: own } = await app.as(member).get('/api/auth/sessions').expect(200);
    expect(own.sessions).toMatchObject([{ current: true }]);
    const { body: ofOwner } = await app.as({ token: owners.token }).get('/api/auth/sessions').expect(200);
    const ids = ofOwner.sessions.map(({ id }: { id: number }) => id);
    expect(ids).not.toContain(own.sessions[0].id);
    await app.as(member).delete(`/api/auth/sessions/${ids[0]}`).expect(404);
    await app.as(member).delete('/api/auth/sessions').expect(200);
    await app.as({ token: owners.token }).delete('/api/auth/sessions').expect(200);
    await app.as(member).get('/api/user/me').expect(200);
    await app.as({ token: owners.token }).get('/api/user/me').expect(200);
  });

  it('lose their sessions when they are removed, and rights when their role changes', async () => {
    const member = await join('operator');
    const writes = () => app.as(member).post('/api/user/lead').send({});
    await writes().expect(422);
    await app.as(owner).put(`/api/user/members/${member.id}`).send({ role: 'viewer' }).expect(200);
    await writes().expect(403);
    await app.as(owner).delete(`/api/user/members/${member.id}`).expect(200);
    await app.as(member).get('/api/user/me').expect(401);
    await app.http.post('/api/auth/login').send({ email: member.email, password: PASSWORD }).expect(401);
  });

  it('are named at the replies they wrote, also when they have gone', async () => {
    const member = await join('operator');
    const assistant = await createAssistant(app, owner);
    const conversation = await openConversation(app, assistant);
    const path = `/api/user/conversations/${conversation}/messages`;
    await app.as(member).post(path).send({ message: 'Sou a Bia.' }).expect(201);
    await app.as(owner).post(path).send({ message: 'E eu, o dono.' }).expect(201);
    await app.as(owner).delete(`/api/user/members/${member.id}`).expect(200);
    const { body } = await app.as(owner).get(path).expect(200);
    const agents = body.data.filter(({ author }: { author: string }) => author === 'agent');
    expect(agents).toMatchObject([
      { content: 'Sou a Bia.', member_name: 'Bia' },
      { content: 'E eu, o dono.', member_name: null },
    ]);
    const seen = await app.http.get(`/api/conversations/${conversation}/messages`).expect(200);
    expect(seen.text).toContain('Sou a Bia.');
    expect(seen.text).not.toContain('member_name');
    const rows = await app.query("SELECT member_id FROM messages WHERE author = 'agent' ORDER BY id");
    expect(rows).toEqual([{ member_id: member.id }, { member_id: null }]);
  });

  it('are as many as the plan says, with open invitations', async () => {
    const small = await app.account();
    await app.query(
      `WITH plan AS (INSERT INTO plans (code, name, max_tools, max_api_keys, max_campaigns, max_calls_in_parallel,
           max_knowledgebases, max_members) VALUES ('small', 'Small', 1, 5, 1, 1, 1, 2) RETURNING id)
       UPDATE users SET plan_id = plan.id FROM plan WHERE users.id = $1`,
      [small.userId],
    );
    await join('viewer', small);
    await invite('viewer', newEmail(), small);
    const { body } = await app
      .as(small)
      .post('/api/user/invitations')
      .send({ email: newEmail(), role: 'viewer' })
      .expect(422);
    expect(body).toEqual({ message: 'Você atingiu o limite de 2 membros do seu plano' });
  });

  it.each(ROLES)(
    'may do on each route what the role says: %s',
    async (role) => {
      // An account of its own: an owner may delete what others need.
      const account = await app.account({ balanceUsd: 5 });
      const member = await join(role, account);
      const guarded: readonly DocumentedRoute[] = app.contract.routes.filter(
        ({ operation }) => (operation.security ?? []).length > 0,
      );
      let checked = 0;
      for (const { method, path, operation } of guarded) {
        const need = needOf(method, path.replace(/\{(\w+)\}/g, ':$1'));
        const isOfKeys = path.startsWith('/api/automate');
        if (need === 'session' || need === 'anyone' || isOfKeys) continue;
        if (STREAMS.has(operation.operationId ?? '')) continue;
        const request = app.as(member)[method](pathOf(path)).set('Accept', 'application/json');
        const { status } = await (method === 'get'
          ? request.set('Content-Type', 'application/json')
          : request.send({}));
        const mayDo = need === 'self' || MAY[role].includes(need);
        expect({ role, route: path, need, isRefused: status === 403 }).toEqual({
          role,
          route: path,
          need,
          isRefused: !mayDo,
        });
        checked += 1;
      }
      expect(checked).toBeGreaterThan(100);
      const { body: rights } = await app.as(member).get('/api/auth/session').expect(200);
      expect(rights).toEqual({ scopes: role === 'owner' ? null : MAY[role], member_id: member.id });
      await app.as(member).post('/api/auth/logout').expect(200);
      await app.as(member).get('/api/user/me').expect(401);
    },
    60_000,
  );

  it.each([
    ['email', { email: 'no-address', role: 'viewer' }],
    ['role', { email: 'zoe@example.com', role: 'king' }],
    ['role', { email: 'zoe@example.com' }],
  ])('are refused with 422 naming %s', async (field, body) => {
    const answer = await app.as(owner).post('/api/user/invitations').send(body).expect(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('are held to the rules for passwords', async () => {
    const { token } = await invite('viewer');
    const { body } = await app.http
      .post('/api/auth/join')
      .send({ token, name: 'Bia', password: 'password123' })
      .expect(422);
    expect(Object.keys(body.errors)).toEqual(['password']);
  });
});
