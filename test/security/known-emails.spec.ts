import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { RefusedSignInsService } from '../../src/modules/audit/sign-ins/refused-sign-ins.service.js';
import { type TestAccount, TestApp } from '../support/app.js';

const PASSWORD = 'correct horse battery';
const MEMBER = 'member@example.com';
const UNKNOWN = 'unknown@example.com';
/** Other work of the process may come in between; it does not do so each time. */
const TRIES = 3;

describe('an e-mail that has an account', () => {
  let app: TestApp;
  let inviter: TestAccount;
  let other: TestAccount;
  const query = jest.spyOn(Client.prototype, 'query');

  beforeAll(async () => {
    app = await TestApp.start({ RATE_LIMITS: 'on' });
    inviter = await app.account();
    other = await app.account({ password: PASSWORD });
    await app.app.get(AccountsService).create({ name: 'Chaves', email: 'keys-only@example.com' });
    const { body } = await invite(other, MEMBER);
    await join(body.data.token).expect(201);
  });
  afterAll(async () => {
    query.mockRestore();
    await app.stop();
  });

  const invite = (account: TestAccount, email: string) =>
    app.as(account).post('/api/user/invitations').send({ email, role: 'viewer' });
  const join = (token: string) =>
    app.http.post('/api/auth/join').send({ token, name: 'Bia', password: PASSWORD });

  /** The fewest statements of some refused logins. */
  async function statementsOf(email: string): Promise<string[]> {
    const tries: string[][] = [];
    const refusals = app.app.get(RefusedSignInsService, { strict: false });
    for (let turn = 0; turn < TRIES; turn++) {
      // What the login before has left for after its answer.
      await refusals.settle();
      query.mockClear();
      await app.http.post('/api/auth/login').send({ email, password: 'wrong password' }).expect(401);
      const sent = query.mock.calls.map(([one]) => one as unknown as string | { text?: string });
      tries.push(sent.map((one) => (typeof one === 'string' ? one : (one.text ?? ''))));
    }
    return tries.toSorted((one, next) => one.length - next.length)[0]?.toSorted() ?? [];
  }

  it('is refused at the login with the statements of an unknown one', async () => {
    const ofUnknown = await statementsOf(UNKNOWN);
    expect(ofUnknown.filter((statement) => /"(users|members)"/.test(statement))).toHaveLength(2);
    for (const email of [other.email, MEMBER, 'keys-only@example.com']) {
      expect({ email, statements: await statementsOf(email) }).toEqual({ email, statements: ofUnknown });
    }
  });

  it('is invited by another account as an unknown one is', async () => {
    const shapeOf = async (email: string) => {
      const { status, body } = await invite(inviter, email);
      return { status, fields: Object.keys(body.data ?? {}), message: body.message };
    };
    const unknown = await shapeOf(UNKNOWN);
    expect(unknown.status).toBe(201);
    for (const email of [other.email, MEMBER.toUpperCase()]) expect(await shapeOf(email)).toEqual(unknown);
  });

  it('is shown as taken to the person with the link alone, and the link stays valid', async () => {
    const { body } = await invite(inviter, other.email);
    for (let turn = 0; turn < 2; turn++) {
      const refused = await join(body.data.token).expect(422);
      expect(refused.body.errors).toEqual({ email: ['Este e-mail já está em uso.'] });
    }
    const { body: members } = await app.as(inviter).get('/api/user/members').expect(200);
    expect(members.members).toEqual([]);
  });

  it('is no secret to its own account', async () => {
    for (const email of [other.email, MEMBER]) await invite(other, email).expect(422);
  });
});
