import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';

const PASSWORD = 'correct horse battery';
const ORIGIN = 'https://voz.example.com';

/** A sibling domain sets cookies for the common parent domain, and the browser sends them in any order. */
describe('session cookies of a sibling domain', () => {
  let app: TestApp;
  let victim: TestAccount;
  let attacker: TestAccount;
  let own: string;
  let foreign: string;

  beforeAll(async () => {
    app = await TestApp.start({ PUBLIC_URL: ORIGIN });
    victim = await app.account({ password: PASSWORD });
    attacker = await app.account({ password: PASSWORD });
    own = await signIn(victim);
    foreign = await signIn(attacker);
  });
  afterAll(() => app.stop());

  async function signIn({ email }: TestAccount): Promise<string> {
    const { headers } = await app.http
      .post('/api/auth/session')
      .send({ email, password: PASSWORD })
      .expect(200);
    return String(headers['set-cookie']).split(';')[0] ?? '';
  }
  const tokenOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
  const ask = (cookie: string) => app.http.get('/api/user/me').set('Cookie', cookie);

  it('cannot have the name of the session on https', () => {
    expect(own).toMatch(/^__Host-prosa_session=prosa_sess_/);
  });

  it.each(['before', 'after'])('do not replace the own session when they come %s it', async (place) => {
    const tossed = `prosa_session=${tokenOf(foreign)}`;
    const { body } = await ask(place === 'before' ? `${tossed}; ${own}` : `${own}; ${tossed}`).expect(200);
    expect(body.email).toBe(victim.email);
    await ask(`${own}; ${tossed}; ${tossed}`).expect(200);
  });

  it('are refused where two have the name of the session', async () => {
    const name = '__Host-prosa_session';
    const [first, second] = [own, foreign].map((cookie) => `${name}=${tokenOf(cookie)}`);
    await ask(`${first}; ${second}`).expect(401);
    await ask(`${second}; ${first}`).expect(401);
    await ask(`${first};${first}`).expect(401);
    await ask(`${name}=; ${first}`).expect(401);
  });

  it('leave an ended or malformed own session ended', async () => {
    await ask(`__Host-prosa_session=; prosa_session=${tokenOf(foreign)}`).expect(401);
    await ask(`__Host-prosa_session=prosa_sess_x; prosa_session=${tokenOf(foreign)}`).expect(401);
  });

  it('are refused under the name of the session on plain http', async () => {
    await ask(`prosa_session=${tokenOf(own)}`).expect(401);
  });
});
