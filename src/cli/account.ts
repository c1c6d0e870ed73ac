import 'reflect-metadata';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { encryptionKeys } from '../boot/encryption-keys.js';
import { prepareDatabase } from '../boot/prepare-database.js';
import { makeToken } from '../common/auth/opaque-token.js';
import { Logger } from '../common/observability/logger.js';
import { loadConfig } from '../config/load.js';
import { EmbeddedPostgres } from '../database/embedded-postgres.js';
import { EmailTakenError } from '../modules/accounts/accounts.errors.js';
import { AccountsService } from '../modules/accounts/accounts.service.js';
import { ApiKeysService } from '../modules/api-keys/api-keys.service.js';
import { PasswordsService } from '../modules/auth/passwords.service.js';
import { BillingService } from '../modules/billing/billing.service.js';

const USAGE = `Usage: npm run account -- <command>

  create  --email E --name N [--password P]   make an account; prints its API key
  credit  --email E --amount 10.00            add US dollars to its balance
  key     --email E --name N                  make a further API key
  password --email E [--password P]           set its password (a random one by default); its sessions end
  plan    --email E --plan unlimited          move it to another plan
  show    --email E                           its balance
  new-key                                     print a key fit for BOOTSTRAP_API_KEY, without storing it
`;

/** A mistake in the command itself. */
class UsageError extends Error {}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    password: { type: 'string' },
    amount: { type: 'string' },
    plan: { type: 'string' },
  },
});

function needed(option: keyof typeof values): string {
  const value = values[option];
  if (value === undefined || value === '') throw new UsageError(`--${option} is missing`);
  return value;
}

async function accountId(app: INestApplicationContext): Promise<number> {
  const email = needed('email');
  const account = await app.get(AccountsService).findByEmail(email);
  if (!account) throw new UsageError(`there is no account ${email}`);
  return account.id;
}

function microsOf(amount: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount))
    throw new UsageError('--amount must be dollars, such as 10 or 2.50');
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

const COMMANDS: Readonly<Record<string, (app: INestApplicationContext) => Promise<string>>> = {
  async create(app) {
    const email = needed('email');
    const token = makeToken('prosa_');
    try {
      const { id } = await app
        .get(AccountsService)
        .create({ email, name: needed('name'), password: values.password }, async (account, tx) => {
          await app.get(ApiKeysService).createIn(tx, account.id, 'First key', token);
        });
      return `Account ${id} is ready. Its API key, shown only this once:\n${token}`;
    } catch (error) {
      if (!(error instanceof EmailTakenError)) throw error;
      throw new Error(
        `There is an account ${email} already. A further key for it: npm run account -- key --email ${email} --name NAME`,
        { cause: error },
      );
    }
  },
  async credit(app) {
    const userId = await accountId(app);
    await app.get(BillingService).credit(userId, microsOf(needed('amount')), `credit:${crypto.randomUUID()}`);
    return balanceLine(app, userId);
  },
  async key(app) {
    const { token } = await app.get(ApiKeysService).create(await accountId(app), needed('name'));
    return `The key, shown only this once:\n${token}`;
  },
  async password(app) {
    const given = values.password;
    const password = await app.get(PasswordsService).reset(await accountId(app), given);
    return given === undefined
      ? `The new password, shown only this once:\n${password}`
      : 'The password is set.';
  },
  async plan(app) {
    const userId = await accountId(app);
    const plan = needed('plan');
    if (!(await app.get(AccountsService).moveToPlan(userId, plan)))
      throw new UsageError(`there is no plan ${plan}`);
    return `Now on the plan ${plan}.`;
  },
  async show(app) {
    return balanceLine(app, await accountId(app));
  },
};

async function balanceLine(app: INestApplicationContext, userId: number): Promise<string> {
  return `Balance: ${((await app.get(BillingService).balanceMicros(userId)) / 1_000_000).toFixed(2)} USD`;
}

/** Runs a command beside a running Prosa or without one. */
async function withApp(command: (app: INestApplicationContext) => Promise<string>): Promise<string> {
  const config = loadConfig();
  const dataDir = resolve(config.database.dataDir);
  const embedded = config.database.url
    ? null
    : await EmbeddedPostgres.start({ dataDir, joinRunning: true, log: (line) => console.error(line) });
  try {
    const databaseUrl = config.database.url ?? embedded?.url ?? '';
    await prepareDatabase({ databaseUrl, say: (line) => console.error(line) });
    const settings = {
      config,
      logger: Logger.create('warn'),
      databaseUrl,
      encryptionKeys: await encryptionKeys(config.security.encryptionKeys, dataDir),
    };
    const app = await NestFactory.createApplicationContext(AppModule.of(settings), {
      logger: settings.logger,
      abortOnError: false,
    });
    try {
      return await command(app);
    } finally {
      await app.close();
    }
  } finally {
    await embedded?.stop();
  }
}

try {
  const [name = ''] = positionals;
  const command = COMMANDS[name];
  if (name === 'new-key') console.log(makeToken('prosa_'));
  else if (command) console.log(await withApp(command));
  else throw new UsageError(name ? `unknown command ${name}` : 'a command is needed');
} catch (error) {
  console.error(
    error instanceof UsageError
      ? `${error.message}\n\n${USAGE}`
      : error instanceof Error
        ? error.message
        : error,
  );
  process.exitCode = 1;
}
