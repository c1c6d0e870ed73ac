import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordLinksService } from '../../src/modules/auth/password-links/password-links.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { CLIENT, type Claims, IdentityProvider } from '../support/identity-provider.js';

const ORIGIN = 'https://prosa.example';
const PASSWORD = 'correct horse battery';
const OPERATOR = { groups: ['support'], email_verified: true };

describe('sign-in through an identity provider', () => {
  let app: TestApp;
  let identity: IdentityProvider;
  let account: TestAccount;
  let serial = 0;

  beforeAll(async () => {
    identity = await IdentityProvider.start(`${ORIGIN}/api/auth/oidc/callback`);
    app = await TestApp.start({
      PUBLIC_URL: ORIGIN,
      OIDC_ISSUER: identity.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_ACCOUNT: 'firm@example.com',
      OIDC_ROLES: 'groups:admins=owner,groups:support=operator',
      OIDC_SCOPES: 'openid email profile groups',
    });
    account = await app.account({ email: 'firm@example.com', password: PASSWORD });
  });
  afterAll(async () => {
    await app.stop();
    await identity.stop();
  });

  const newPerson = () => `person${++serial}`;
  const cookiesOf = (headers: Record<string, unknown>) =>
    ((headers['set-cookie'] as string[] | undefined) ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  const pathOf = (url: string) => url.replace(ORIGIN, '');

  async function begin(to?: string) {
    const { headers } = await app.http
      .get(`/api/auth/oidc${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`)
      .expect(302);
    return {
      url: String(headers.location),
      cookie: cookiesOf(headers).join('; '),
      raw: String(headers['set-cookie']),
    };
  }
  const finish = (callback: string, cookie: string) =>
    app.http.get(pathOf(callback)).set('Cookie', cookie).expect(302);

  async function signIn(subject: string, claims: Claims, to?: string) {
    const { url, cookie } = await begin(to);
    const { headers } = await finish(await identity.authorize(url, subject, claims), cookie);
    const session = cookiesOf(headers).find((one) => one.startsWith('__Host-prosa_session=prosa_sess_'));
    return { location: String(headers.location), session, cookies: cookiesOf(headers) };
  }
  const problemOf = (answer: { headers: Record<string, unknown> }) =>
    new URL(String(answer.headers.location), ORIGIN).searchParams.get('problem');
  const rightsOf = async (session = '') => {
    const { body } = await app.http.get('/api/auth/session').set('Cookie', session).expect(200);
    return body as { scopes: string[] | null; member_id: number | null };
  };

  it('makes a member at the first sign-in, and finds the person by issuer and subject afterwards', async () => {
    const subject = newPerson();
    const first = await signIn(
      subject,
      { ...OPERATOR, email: 'bia@example.com', name: 'Bia' },
      '/app/inbox?x=1',
    );
    expect(first.location).toBe('/app/inbox?x=1');
    const { member_id: id, scopes } = await rightsOf(first.session);
    expect(scopes).toEqual(['read', 'chat', 'calls', 'campaigns']);
    const again = await signIn(subject, { ...OPERATOR, email: 'renamed@example.com' });
    expect((await rightsOf(again.session)).member_id).toBe(id);
    const { body } = await app.as(account).get('/api/user/members').expect(200);
    expect(body.members).toHaveLength(1);
    expect(body.members[0]).toMatchObject({ email: 'bia@example.com', name: 'Bia', role: 'operator' });
    const log = await app.as(account).get('/api/user/audit-log?action=finishOidcSignIn').expect(200);
    const entry = { via: 'session', member_id: id, status: 200, token_id: expect.any(Number) };
    expect(log.body.data).toEqual([expect.objectContaining(entry), expect.objectContaining(entry)]);
  });

  it('gives the role of the claim at each sign-in, and refuses a person without one, whose sessions end', async () => {
    const subject = newPerson();
    const email = `${subject}@example.com`;
    const before = await signIn(subject, { ...OPERATOR, email });
    const raised = await signIn(subject, { groups: ['admins'], email });
    expect((await rightsOf(raised.session)).scopes).toBeNull();
    expect((await rightsOf(before.session)).scopes).toBeNull();
    const refused = await signIn(subject, { groups: ['others'], email });
    expect(refused.location).toBe('/app/sign-in?problem=no-role');
    expect(refused.session).toBeUndefined();
    for (const session of [before.session, raised.session]) {
      await app.http
        .get('/api/auth/session')
        .set('Cookie', session ?? '')
        .expect(401);
    }
  });

  it.each([
    ['without a group', { email: 'x1@example.com', email_verified: true }, 'no-role'],
    ['with a group of nearly the name', { groups: ['supports'], email: 'x2@example.com' }, 'no-role'],
    ['without an e-mail', { groups: ['support'] }, 'email-missing'],
    [
      'with an unverified e-mail',
      { groups: ['support'], email: 'x3@example.com', email_verified: false },
      'email-unverified',
    ],
  ])('refuses a person %s', async (_case, claims, problem) => {
    const { location, session } = await signIn(newPerson(), claims);
    expect(location).toBe(`/app/sign-in?problem=${problem}`);
    expect(session).toBeUndefined();
  });

  describe('with the e-mail of another person', () => {
    it.each([
      ['the owner', 'firm@example.com', { groups: ['admins'] }],
      ['a member', 'bia@example.com', { groups: ['admins'], email_verified: false }],
      [
        'a member, with text for a truth value',
        'bia@example.com',
        { groups: ['admins'], email_verified: 'true' },
      ],
    ])('does not take over %s when the e-mail is not verified', async (_whose, email, claims) => {
      const { location, session } = await signIn(newPerson(), { ...claims, email });
      expect(location).toBe('/app/sign-in?problem=email-unverified');
      expect(session).toBeUndefined();
    });

    it('does not take over a verified e-mail without its password', async () => {
      const subject = newPerson();
      const claims = { groups: ['admins'], email: 'firm@example.com', email_verified: true };
      const { location, session, cookies } = await signIn(subject, claims);
      expect(location).toBe(`/app/link-account#${encodeURIComponent('firm@example.com')}`);
      expect(session).toBeUndefined();
      const confirm = (cookie: string, password: string) =>
        app.http.post('/api/auth/oidc/link').set('Cookie', cookie).send({ password });
      const cookie = cookies.find((one) => one.startsWith('__Host-prosa_sign_in=v1.')) ?? '';
      await confirm('', PASSWORD).expect(404);
      await confirm(cookie, 'wrong password').expect(401);
      await confirm(`${cookie.slice(0, -2)}AA`, PASSWORD).expect(404);
      await confirm(cookie, PASSWORD).set('Origin', 'https://evil.example').expect(403);
      const linked = await confirm(cookie, PASSWORD).expect(200);
      const own = cookiesOf(linked.headers).find((one) => one.startsWith('__Host-prosa_session='));
      expect(await rightsOf(own)).toEqual({ scopes: null, member_id: null });
      const log = await app.as(account).get('/api/user/audit-log?action=confirmOidcLink').expect(200);
      expect(log.body.data.map(({ status }: { status: number }) => status).toSorted()).toEqual([200, 401]);
      expect((await signIn(subject, claims)).location).toBe('/app');
      expect((await signIn(subject, { ...claims, groups: ['support'] })).location).toBe(
        '/app/sign-in?problem=no-role',
      );
    });

    it('refuses an e-mail of another account', async () => {
      await app.account({ email: 'other-firm@example.com' });
      const { location } = await signIn(newPerson(), { ...OPERATOR, email: 'other-firm@example.com' });
      expect(location).toBe('/app/sign-in?problem=email-taken');
    });
  });

  describe('is refused', () => {
    const claims = { ...OPERATOR, email: 'attacked@example.com' };

    it('without the cookie of the browser that began it, and with that of another one', async () => {
      const own = await begin();
      const other = await begin();
      const callback = await identity.authorize(own.url, newPerson(), claims);
      expect(problemOf(await finish(callback, ''))).toBe('state');
      expect(problemOf(await finish(callback, other.cookie))).toBe('state');
      expect(problemOf(await finish(callback, `${own.cookie}; ${own.cookie}`))).toBe('state');
    });

    it('with a changed, missing or doubled state', async () => {
      const { url, cookie } = await begin();
      const callback = new URL(await identity.authorize(url, newPerson(), claims));
      for (const change of [
        (query: URLSearchParams) => query.set('state', 'x'),
        (query: URLSearchParams) => query.delete('state'),
        (query: URLSearchParams) => query.append('state', query.get('state') ?? ''),
      ]) {
        const changed = new URL(callback);
        change(changed.searchParams);
        expect(problemOf(await finish(changed.href, cookie))).toBe('state');
      }
    });

    it('with a code that was used before, and with an invented one', async () => {
      const { url, cookie } = await begin();
      const callback = await identity.authorize(url, newPerson(), {
        ...claims,
        email: 'replayed@example.com',
      });
      expect(problemOf(await finish(callback, cookie))).toBeNull();
      expect(problemOf(await finish(callback, cookie))).toBe('expired');
      const invented = new URL(callback);
      invented.searchParams.set('code', 'x');
      expect(problemOf(await finish(invented.href, cookie))).toBe('expired');
    });

    it('with a code of another browser: PKCE and the nonce differ', async () => {
      const victim = await begin();
      const attacker = await begin();
      const stolen = new URL(await identity.authorize(victim.url, newPerson(), claims));
      const own = new URL(attacker.url);
      stolen.searchParams.set('state', own.searchParams.get('state') ?? '');
      expect(problemOf(await finish(stolen.href, attacker.cookie))).toBe('expired');
    });

    it('with an answer of another issuer', async () => {
      const { url, cookie } = await begin();
      const callback = new URL(await identity.authorize(url, newPerson(), claims));
      callback.searchParams.set('iss', 'https://other-issuer.example');
      expect(problemOf(await finish(callback.href, cookie))).toBe('invalid');
    });

    it('when the provider says no', async () => {
      const { url, cookie } = await begin();
      const state = new URL(url).searchParams.get('state') ?? '';
      const iss = encodeURIComponent(identity.issuer);
      const refusal = `/api/auth/oidc/callback?error=access_denied&state=${state}&iss=${iss}`;
      expect(problemOf(await finish(refusal, cookie))).toBe('cancelled');
    });
  });

  it('asks the provider with PKCE, state and nonce, and keeps them from scripts and other sites', async () => {
    const { url, raw } = await begin();
    const query = new URL(url).searchParams;
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('state')).not.toBe(query.get('nonce'));
    expect(raw).toMatch(/^__Host-prosa_sign_in=v1\./);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/'])
      expect(raw).toContain(attribute);
    expect(raw).not.toContain(query.get('state') ?? '');
  });

  it('gives a new session to a browser that had one planted', async () => {
    const planted = await app.http
      .post('/api/auth/session')
      .send({ email: account.email, password: PASSWORD })
      .expect(200);
    const [fixed = ''] = cookiesOf(planted.headers);
    const { url, cookie } = await begin();
    const callback = await identity.authorize(url, newPerson(), { ...OPERATOR, email: 'fixed@example.com' });
    const { headers } = await finish(callback, `${cookie}; ${fixed}`);
    const own = cookiesOf(headers).find((one) => one.startsWith('__Host-prosa_session='));
    expect(own).not.toBe(fixed);
    expect((await rightsOf(fixed)).member_id).toBeNull();
    expect((await rightsOf(own)).member_id).not.toBeNull();
  });

  it.each(['https://evil.example', '//evil.example', '/app/../..//evil.example', '/\\evil.example'])(
    'leads to the console and not to %s',
    async (to) => {
      const subject = newPerson();
      expect((await signIn(subject, { ...OPERATOR, email: `${subject}@example.com` }, to)).location).toBe(
        '/app',
      );
    },
  );

  it('gives a member no password link by e-mail, and no sign-in with an empty password', async () => {
    await app.http.post('/api/auth/login').send({ email: 'bia@example.com', password: '!' }).expect(401);
  });
});

describe('an identity provider that is away', () => {
  it('neither stops the start nor gives an error of the server', async () => {
    const app = await TestApp.start({
      PUBLIC_URL: ORIGIN,
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_ACCOUNT: 'firm@example.com',
      OIDC_ROLES: 'groups:admins=owner',
      PASSWORD_SIGN_IN: 'off',
    });
    try {
      const { headers } = await app.http.get('/api/auth/oidc').expect(302);
      expect(headers.location).toBe('/app/sign-in?problem=unavailable');
      const { email } = await app.account({ password: PASSWORD });
      await app.http.post('/api/auth/login').send({ email, password: PASSWORD }).expect(403);
      await app.http.post('/api/auth/session').send({ email, password: PASSWORD }).expect(403);
      const links = app.app.get(PasswordLinksService);
      const { userId } = await app.account({ email: 'locked-out@example.com', password: PASSWORD });
      const { token } = await links.makeSignIn({ userId, memberId: null });
      const enter = () => app.http.post('/api/auth/session/link').send({ token });
      await app.http
        .post('/api/auth/password/reset')
        .send({ token, password: 'horse staple battery' })
        .expect(403);
      await enter().set('Origin', 'https://evil.example').expect(403);
      const entered = await enter().expect(200);
      expect(String(entered.headers['set-cookie'])).toMatch(/^__Host-prosa_session=prosa_sess_/);
      await enter().expect(404);
      await app.http.post('/api/auth/password/forgot').send({ email }).expect(403);
      const owner = await app.account({ email: 'owner@example.com' });
      const [member] = await app.query<{ id: number }>(
        `INSERT INTO members (user_id, name, email, password_hash, role)
         VALUES ($1, 'Bia', 'member@example.com', '!', 'viewer') RETURNING id`,
        [owner.userId],
      );
      await app.as(owner).post(`/api/user/members/${member?.id}/password-link`).expect(403);
      const invited = { email: 'invited@example.com', role: 'viewer' };
      await app.as(owner).post('/api/user/invitations').send(invited).expect(403);
      const { body } = await app.http.get('/api/auth/options').expect(200);
      expect(body).toEqual({ password_links_by_email: false, password: false, oidc: true });
    } finally {
      await app.stop();
    }
  });
});

describe('without an identity provider', () => {
  it('leads back to the sign-in page', async () => {
    const app = await TestApp.start();
    try {
      const { headers } = await app.http.get('/api/auth/oidc').expect(302);
      expect(headers.location).toBe('/app/sign-in?problem=not-configured');
      await app.http.get('/api/auth/oidc/callback?code=x&state=y').expect(302);
      await app.http.post('/api/auth/oidc/link').send({ password: PASSWORD }).expect(404);
    } finally {
      await app.stop();
    }
  });
});
