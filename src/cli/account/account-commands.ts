import type { Type } from '@nestjs/common';
import { OmitType, PickType } from '@nestjs/swagger';
import { makeToken } from '../../common/auth/opaque-token.js';
import { RequestValidationPipe } from '../../common/http/validation.pipe.js';
import { EmailTakenError } from '../../modules/accounts/accounts.errors.js';
import type { ListedAccount, OwnLimits } from '../../modules/accounts/account-directory.repository.js';
import type { Holding } from '../../modules/accounts/account-holdings.repository.js';
import { AccountSettingsRequest } from '../../modules/accounts/dto/settings.js';
import type { OperatorChange } from '../../modules/audit/operator/operator-log.service.js';
import { RegisterRequest } from '../../modules/auth/dto/auth.request.js';
import { checkNewPassword } from '../../modules/auth/passwords/password-rules.js';
import type { SessionHolder } from '../../modules/auth/sessions/sessions.repository.js';
import type { AccountServices } from './account-services.js';
import { type Options, UsageError } from './account-usage.js';

/** Held to the rules of the API. */
class NewAccountRequest extends OmitType(RegisterRequest, ['password']) {}
class NewPasswordRequest extends PickType(RegisterRequest, ['password']) {}

const PAGE = 500;
/** Rows that say nothing of what an account has done. */
const TRIFLES = new Set([
  'api_keys',
  'assistant_prompts',
  'invitations',
  'known_addresses',
  'password_links',
  'sessions',
  'wallets',
  'webhook_secrets',
  'webhook_subscriptions',
]);
/**
 * Tables with data outside the database, or that must stay: money, carriers, files. A worker deletes such an account.
 */
const LASTING = new Set([
  'account_exports',
  'ledger_entries',
  'holds',
  'carrier_orders',
  'phone_numbers',
  'calls',
  'document_sources',
]);

type Command = (services: AccountServices, options: Options) => Promise<string>;

/** Each answers with what is printed. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  async list({ directory }) {
    const rows: ListedAccount[] = [];
    for (let page = await directory.list(0, PAGE); page.length > 0;) {
      rows.push(...page);
      page = await directory.list(page.at(-1)?.id ?? 0, PAGE);
    }
    if (rows.length === 0) return 'There are no accounts yet. Make one: npm run account -- create';
    return table([
      ['ID', 'E-MAIL', 'NAME', 'PLAN', 'COUNTRY', 'TIME ZONE', 'BALANCE'],
      ...rows.map(({ id, email, name, plan, country, timezone, balanceMicros }) => [
        String(id),
        email,
        name,
        plan,
        country,
        timezone,
        usd(balanceMicros),
      ]),
    ]);
  },

  async show({ accounts, directory }, options) {
    const account = await accountOf(directory, options);
    const limits = await accounts.limitsOf(account.id);
    const { maxCallsPerSecond: callsPerSecond } = limits;
    return table([
      ['Id', String(account.id)],
      ['E-mail', account.email],
      ['Name', account.name],
      ['Balance', `${usd(account.balanceMicros)} USD`],
      ['Country', account.country],
      ['Time zone', account.timezone],
      ['Plan', account.plan],
      ['Tools', `at most ${limits.maxTools}`],
      ['API keys', `at most ${limits.maxApiKeys}`],
      ['Campaigns', `at most ${limits.maxCampaigns}`],
      ['Calls at once', `at most ${limits.maxCallsInParallel}`],
      ['Calls a second', callsPerSecond === null ? 'as for all accounts' : `at most ${callsPerSecond}`],
      ['Knowledge bases', `at most ${limits.maxKnowledgebases}`],
      ['Members', `at most ${limits.maxMembers}`],
      ['SIP trunks', `at most ${limits.maxSipTrunks}`],
      ['Password', account.hasPassword ? 'set' : 'none: API keys only'],
      ['Made', account.createdAt.toISOString()],
    ]);
  },

  async create({ accounts, keys, log }, options) {
    const { country, ...details } = await checked(
      NewAccountRequest,
      pick(options, ['email', 'name', 'country', 'timezone']),
    );
    const password =
      options.password === undefined ? undefined : await newPassword(options.password, details.email);
    const token = makeToken('prosa_');
    try {
      const wanted = { ...details, defaultCountry: country, password };
      const { id } = await accounts.create(wanted, async (account, tx) => {
        await keys.createIn(tx, account.id, 'First key', token);
        await log.record({ ...changeOf('create', account), resourceId: String(account.id) }, tx);
      });
      return `Account ${id} is ready. Its API key, shown only this once:\n${token}`;
    } catch (error) {
      if (!(error instanceof EmailTakenError)) throw error;
      throw new Error(
        `There is an account ${details.email} already. A further key for it: npm run account -- key --email ${details.email} --name NAME`,
        { cause: error },
      );
    }
  },

  async set(services, options) {
    const { accounts, directory, log, passwords, database } = services;
    const limits = limitsOf(options);
    const settings = await checked(AccountSettingsRequest, pick(options, ['country', 'timezone']));
    const account = await accountOf(directory, options);
    const password =
      options.password === undefined ? null : await newPassword(options.password, account.email);
    if (
      password === null &&
      options.plan === undefined &&
      limits === null &&
      Object.keys(settings).length === 0
    )
      throw new UsageError('nothing to set: give --password, --country, --timezone, --plan or a limit');
    await checkPlan(directory, options.plan);
    await log.run(changeOf('set', account), async () => {
      if (options.plan !== undefined) await accounts.moveToPlan(account.id, options.plan);
      if (limits) await database.run((tx) => directory.setOwnLimits(account.id, limits, tx));
      await accounts.changeSettings(account.id, {
        defaultCountry: settings.country,
        timezone: settings.timezone,
      });
      if (password !== null) await passwords.reset(account.id, password);
    });
    return COMMANDS.show?.(services, options) ?? '';
  },

  async delete({ accounts, directory, holdings, billing, closing, log, database }, options) {
    const account = await accountOf(directory, options);
    // An account takes its own entries along.
    const deletion = { userId: null, action: 'account.delete', resourceId: String(account.id) };
    const { held, isDeleted } = await database.run(async (tx) => {
      await holdings.lock(account.id, tx);
      const rows = await holdings.of(account.id, tx);
      const movements = await billing.lockMovements(account.id, tx);
      const held = [
        ...rows.filter(({ table }) => !TRIFLES.has(table)),
        ...(movements > 0 ? [{ table: 'ledger_entries', rows: movements }] : []),
      ];
      if (held.length > 0 && options.force !== true)
        throw new Error(`${account.email} has ${inWords(held)}. To delete them too, repeat with --force.`);
      if (held.some(({ table }) => LASTING.has(table))) return { held, isDeleted: false };
      await billing.closeWallet(account.id, tx);
      await accounts.remove(account.id, tx);
      await log.record(deletion, tx);
      return { held, isDeleted: true };
    });
    if (isDeleted)
      return `Account ${account.id} (${account.email}) is deleted${held.length > 0 ? `, with ${inWords(held)}` : ''}.`;
    const { id } = await log.run(deletion, () => closing.close(account.id));
    return `Account ${account.id} (${account.email}) is closed: all access has ended. A worker of a running Prosa deletes ${inWords(held)}, with the files and what carriers have (deletion ${id}).`;
  },

  async credit({ directory, billing, log }, options) {
    const account = await accountOf(directory, options);
    const micros = microsOf(needed(options, 'amount'));
    await log.run(changeOf('credit', account), () =>
      billing.credit(account.id, micros, `credit:${crypto.randomUUID()}`),
    );
    return `Balance: ${usd(await billing.balanceMicros(account.id))} USD`;
  },

  async key({ database, directory, keys, log }, options) {
    const account = await accountOf(directory, options);
    const name = needed(options, 'name');
    const { token } = await database.run(async (tx) => {
      const created = await keys.createIn(tx, account.id, name);
      await log.record({ ...changeOf('key', account), resourceId: String(created.key.id) }, tx);
      return created;
    });
    return `The key, shown only this once:\n${token}`;
  },

  async password({ directory, log, passwords }, options) {
    const account = await accountOf(directory, options);
    const given =
      options.password === undefined ? undefined : await newPassword(options.password, account.email);
    const password = await log.run(changeOf('password', account), () => passwords.reset(account.id, given));
    return given === undefined
      ? `The new password, shown only this once:\n${password}`
      : 'The password is set.';
  },

  async 'sign-in-link'(services, options) {
    const email = needed(options, 'email');
    const person = await personOf(services, email);
    const { token, expiresAt } = await services.log.run(linkFor('sign-in-link', person), () =>
      services.links.makeSignIn(person),
    );
    return `The link for ${email}, shown only this once, good until ${expiresAt.toISOString()} and for one sign-in:\n${services.origin}/app/enter#${token}`;
  },

  async 'password-link'(services, options) {
    const { links, log, origin } = services;
    const email = needed(options, 'email');
    const person = await personOf(services, email);
    const { token, expiresAt } = await links.make(person, (_link, tx) =>
      log.record(linkFor('password-link', person), tx),
    );
    return `The link for ${email}, shown only this once, good until ${expiresAt.toISOString()} and for one use:\n${origin}/app/password#${token}`;
  },

  async export({ directory, archives, log }, options) {
    const account = await accountOf(directory, options);
    const path = needed(options, 'file');
    // What reaches files is loaded for this command alone.
    const { exportToFile } = await import('./export-to-file.js');
    return log.run(changeOf('export', account), async () => exportToFile(await archives(), account, path));
  },

  async plan(services, options) {
    const { accounts, directory, log } = services;
    const account = await accountOf(directory, options);
    const plan = needed(options, 'plan');
    await checkPlan(directory, plan);
    await log.run(changeOf('plan', account), () => accounts.moveToPlan(account.id, plan));
    return `Now on the plan ${plan}.`;
  },
};

/** @throws ValidationFailedError as the API would refuse it */
async function checked<T extends object>(metatype: Type<T>, body: object): Promise<T> {
  return (await new RequestValidationPipe().transform(body, { type: 'body', metatype })) as T;
}

/** @throws ValidationFailedError */
async function newPassword(password: string, email: string): Promise<string> {
  await checked(NewPasswordRequest, { password });
  checkNewPassword(password, email);
  return password;
}

/** @throws UsageError */
async function checkPlan(directory: AccountServices['directory'], plan: string | undefined): Promise<void> {
  if (plan === undefined) return;
  const codes = await directory.planCodes();
  if (!codes.includes(plan)) throw new UsageError(`there is no plan ${plan}; there are: ${codes.join(', ')}`);
}

/** What the audit log says of a command for an account. */
function changeOf(command: string, { id }: { readonly id: number }): OperatorChange {
  return { userId: id, action: `account.${command}` };
}

/** The same for a link; it names the member, if it is for one. */
function linkFor(command: string, { userId, memberId }: SessionHolder): OperatorChange {
  const resourceId = memberId === null ? null : String(memberId);
  return { ...changeOf(command, { id: userId }), resourceId };
}

async function accountOf(directory: AccountServices['directory'], options: Options): Promise<ListedAccount> {
  const email = needed(options, 'email');
  const account = await directory.find(email);
  if (!account) throw new UsageError(`there is no account ${email}`);
  return account;
}

/** The owner of an account, or a member. */
async function personOf({ members }: AccountServices, email: string): Promise<SessionHolder> {
  const person = await members.findPerson(email);
  if (!person) throw new UsageError(`there is neither an account nor a member ${email}`);
  return person;
}

function needed(options: Options, name: 'email' | 'file' | 'name' | 'amount' | 'plan'): string {
  const value = options[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

function pick<Name extends keyof Options>(
  options: Options,
  names: readonly Name[],
): Partial<Pick<Options, Name>> {
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  ) as Partial<Pick<Options, Name>>;
}

/** Null when no limit is given. @throws UsageError */
function limitsOf(options: Options): Partial<OwnLimits> | null {
  const limits: Record<string, number> = {};
  for (const [option, limit] of [
    ['max-tools', 'maxTools'],
    ['max-keys', 'maxApiKeys'],
    ['max-campaigns', 'maxCampaigns'],
    ['max-calls', 'maxCallsInParallel'],
    ['max-knowledgebases', 'maxKnowledgebases'],
    ['max-members', 'maxMembers'],
    ['max-sip-trunks', 'maxSipTrunks'],
  ] as const) {
    const given = options[option];
    if (given === undefined) continue;
    if (!/^\d{1,7}$/.test(given))
      throw new UsageError(`--${option} must be a whole number from 0 to 9999999`);
    limits[limit] = Number(given);
  }
  const pace = options['max-calls-per-second'];
  if (pace !== undefined) limits.maxCallsPerSecond = callsPerSecondOf(pace);
  return Object.keys(limits).length > 0 ? limits : null;
}

function callsPerSecondOf(given: string): number {
  const pace = /^\d{1,4}(\.\d)?$/.test(given) ? Number(given) : Number.NaN;
  if (!(pace <= 1_000))
    throw new UsageError('--max-calls-per-second must be from 0.1 to 1000, such as 2 or 0.5, or 0 for none');
  return pace;
}

function microsOf(amount: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount))
    throw new UsageError('--amount must be dollars, such as 10 or 2.50');
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

const usd = (micros: number) => (micros / 1_000_000).toFixed(2);

const inWords = (holdings: readonly Holding[]) =>
  holdings.map(({ table, rows }) => `${rows} ${nameOf(table, rows)}`).join(', ');

const nameOf = (table: string, rows: number) => {
  const many = table.replaceAll('_', ' ');
  return rows === 1 ? many.replace(/ies$/, 'y').replace(/s$/, '') : many;
};

function table(rows: readonly (readonly string[])[]): string {
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
