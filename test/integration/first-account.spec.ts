import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type FirstAccount,
  firstAccountIsShown,
  openFirstAccount,
} from '../../src/boot/first-start/first-account.js';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { configFrom } from '../../src/config/config-from.js';
import { EnvironmentError, parseEnvironment } from '../../src/config/environment.js';
import { TestApp } from '../support/app.js';

describe('the first account', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await TestApp.start();
  });
  afterEach(() => app.stop());

  const open = (environment: Record<string, string> = {}) =>
    openFirstAccount(app.app, configFrom(parseEnvironment(environment)));
  const demo = async (): Promise<FirstAccount> => {
    const account = await open();
    if (!account) throw new Error('there is nothing to show');
    return account;
  };
  const statusWith = async ({ apiKey }: FirstAccount) =>
    (await app.as({ token: apiKey }).get('/api/user/me')).status;
  const keys = () => app.query('SELECT name FROM api_keys ORDER BY id');

  it('has another key and password at the next start when the first were never shown, and nothing else twice', async () => {
    const first = await demo();
    const second = await demo();
    expect(second).toEqual({ ...first, apiKey: expect.any(String), password: expect.any(String) });
    expect(second.password).not.toBe(first.password);
    expect(second.apiKey).not.toBe(first.apiKey);
    expect(await statusWith(first)).toBe(401);
    expect(await statusWith(second)).toBe(200);
    expect(await app.query('SELECT amount_micros::int AS micros FROM ledger_entries')).toEqual([
      { micros: 10_000_000 },
    ]);
  });

  it('keeps a key that was used, though its process ended before it could note that it had shown it', async () => {
    const account = await demo();
    expect(await statusWith(account)).toBe(200);
    expect(await open()).toBeNull();
    expect(await open()).toBeNull();
    expect(await statusWith(account)).toBe(200);
    expect(await keys()).toEqual([{ name: 'Demo' }]);
  });

  const signIn = ({ email, password }: FirstAccount) =>
    app.http.post('/api/auth/session').send({ email, password });

  it('keeps a password that was used, though its process ended before it could note that it had shown it', async () => {
    const account = await demo();
    await signIn(account).expect(200);
    expect(await open()).toBeNull();
    await signIn(account).expect(200);
    expect(await statusWith(account)).toBe(200);
  });

  it('is left alone once its key was shown, though it was never used', async () => {
    const account = await demo();
    await firstAccountIsShown(app.app, account);
    expect(await open()).toBeNull();
    expect(await statusWith(account)).toBe(200);
  });

  it('has a new conversation to show when the one of a start that was cut short is over', async () => {
    const first = await demo();
    await app.query('UPDATE conversations SET ended_at = now()');
    const second = await demo();
    expect(second.assistantUuid).toBe(first.assistantUuid);
    expect(second.conversationId).not.toBe(first.conversationId);
  });

  it('of BOOTSTRAP_ variables is left alone when it is there, whatever was changed since', async () => {
    await app.account({ email: 'ops@example.com' });
    await open({
      BOOTSTRAP_EMAIL: 'Ops@example.com',
      BOOTSTRAP_BALANCE: '5',
      BOOTSTRAP_API_KEY: makeToken('prosa_'),
    });
    expect(await keys()).toEqual([{ name: 'test' }]);
    expect(await app.query('SELECT FROM ledger_entries')).toEqual([]);
  });

  it('of BOOTSTRAP_ variables is refused the key of another account in a sentence', async () => {
    const { token } = await app.account();
    const refused = open({ BOOTSTRAP_EMAIL: 'ops@example.com', BOOTSTRAP_API_KEY: token });
    await expect(refused).rejects.toThrow(EnvironmentError);
    await expect(refused).rejects.toThrow('BOOTSTRAP_API_KEY is the key of another account');
  });
});
