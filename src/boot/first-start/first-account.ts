import type { NestExpressApplication } from '@nestjs/platform-express';
import { prefixOf } from '../../common/auth/opaque-token.js';
import { failpoint } from '../../common/failpoints.js';
import type { Config } from '../../config/config.js';
import { EnvironmentError } from '../../config/environment.js';
import {
  type Account,
  type AccountDetails,
  AccountsService,
} from '../../modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../modules/api-keys/api-keys.service.js';
import { PasswordsService } from '../../modules/auth/passwords/passwords.service.js';
import { SessionsService } from '../../modules/auth/sessions/sessions.service.js';
import { BillingService } from '../../modules/billing/billing.service.js';
import { openDemo } from './demo-assistant.js';

const DEMO_EMAIL = 'demo@prosa.local';
const DEMO_BALANCE_MICROS = 10_000_000;
/** The reference of the first credit, by which it is given once. */
const CREDIT = 'bootstrap';

/** What the banner tells after a first start. */
export interface FirstAccount {
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
  /** Of the console. */
  readonly password: string;
  readonly assistantUuid: string;
  /** A free test conversation, ready to be written in. */
  readonly conversationId: string;
}

/** Whether `BOOTSTRAP_*` name the first account. */
export function isFirstAccountNamed({ bootstrap }: Config): boolean {
  return Object.values(bootstrap).some((value) => value !== undefined);
}

/**
 * Makes the first account, once: the one of `BOOTSTRAP_*`, else a demo account with an assistant and a conversation to
 * try, for an embedded database. Each step checks what is there, so the next start completes an interrupted
 * one. Once the account is set up, later starts change nothing. One process at a time may run it.
 *
 * @returns what is to be shown, and then passed to {@link firstAccountIsShown}; null when there is nothing
 */
export async function openFirstAccount(
  app: NestExpressApplication,
  config: Config,
): Promise<FirstAccount | null> {
  if (!isFirstAccountNamed(config)) return openDemoAccount(app);
  await openConfiguredAccount(app, config);
  return null;
}

/** From now on the demo account is left alone, because its key may be in use. */
export async function firstAccountIsShown(
  app: NestExpressApplication,
  { userId }: FirstAccount,
): Promise<void> {
  await failpoint('after-first-banner');
  await app.get(AccountsService).markSetUp(userId);
}

async function openConfiguredAccount(app: NestExpressApplication, { bootstrap }: Config): Promise<void> {
  const { email, password, apiKey, balanceMicros } = bootstrap;
  if (email === undefined)
    throw new EnvironmentError('BOOTSTRAP_EMAIL is needed with the other BOOTSTRAP_ variables.');
  if (apiKey !== undefined && prefixOf(apiKey) !== 'prosa_') {
    throw new EnvironmentError(
      'BOOTSTRAP_API_KEY is not an API key of Prosa. Make one with: npm run account -- new-key',
    );
  }
  const account = await beginAccount(app, { name: email, email, password });
  if (!account) return;
  if (apiKey !== undefined) await addConfiguredKey(app, account, apiKey);
  await failpoint('after-first-key');
  if (balanceMicros) await app.get(BillingService).credit(account.id, balanceMicros, CREDIT);
  await failpoint('after-first-credit');
  await app.get(AccountsService).markSetUp(account.id);
}

async function addConfiguredKey(app: NestExpressApplication, { id }: Account, apiKey: string): Promise<void> {
  const keys = app.get(ApiKeysService);
  const owner = await keys.findOwner(apiKey);
  if (owner === null) await keys.create(id, 'Bootstrap', apiKey);
  else if (owner !== id) {
    throw new EnvironmentError(
      'BOOTSTRAP_API_KEY is the key of another account. Make one with: npm run account -- new-key',
    );
  }
}

async function openDemoAccount(app: NestExpressApplication): Promise<FirstAccount | null> {
  const account = await beginAccount(app, { name: 'Demo', email: DEMO_EMAIL });
  if (!account) return null;
  const { id: userId, email } = account;
  await app.get(BillingService).credit(userId, DEMO_BALANCE_MICROS, CREDIT);
  await failpoint('after-first-credit');
  const demo = await openDemo(app, userId);
  const apiKey = await renewUnseenKey(app, userId);
  await failpoint('after-first-key');
  if (apiKey === null) return null;
  const password = await app.get(PasswordsService).reset(userId);
  return { userId, email, apiKey, password, ...demo };
}

/** The account, made if need be; null when it was set up before. */
async function beginAccount(app: NestExpressApplication, details: AccountDetails): Promise<Account | null> {
  const accounts = app.get(AccountsService);
  const account =
    (await accounts.findByEmail(details.email)) ?? (await accounts.create({ ...details, isSetUp: false }));
  await failpoint('after-first-account');
  return account.isSetUp ? null : account;
}

/**
 * Makes a key in place of those of a start that ended before it could show them. Null when one of them has been used, or
 * the password: they were shown, and only the note of it is missing.
 */
async function renewUnseenKey(app: NestExpressApplication, userId: number): Promise<string | null> {
  const keys = app.get(ApiKeysService);
  const unseen = await keys.list(userId);
  const isSeen =
    unseen.some(({ lastUsedAt }) => lastUsedAt !== null) || (await app.get(SessionsService).hasAny(userId));
  if (isSeen) {
    await app.get(AccountsService).markSetUp(userId);
    return null;
  }
  for (const { id } of unseen) await keys.delete(userId, id);
  const { token } = await keys.create(userId, 'Demo');
  return token;
}
