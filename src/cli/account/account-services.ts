import type { Config } from '../../config/config.js';
import { publicOriginOf } from '../../config/public-origin.js';
import type { Database } from '../../database/database.js';
import { AccountDirectoryRepository } from '../../modules/accounts/account-directory.repository.js';
import { AccountHoldingsRepository } from '../../modules/accounts/account-holdings.repository.js';
import { AccountsRepository } from '../../modules/accounts/accounts.repository.js';
import { AccountsService } from '../../modules/accounts/accounts.service.js';
import { MembersRepository } from '../../modules/accounts/members/members.repository.js';
import { MembersService } from '../../modules/accounts/members/members.service.js';
import { AccountClosingService } from '../../modules/account-data/deletion/account-closing.service.js';
import { AccountDeletionsRepository } from '../../modules/account-data/deletion/account-deletions.repository.js';
import { AssistantClosingService } from '../../modules/assistants/deletion/assistant-closing.service.js';
import { AssistantsRepository } from '../../modules/assistants/assistants.repository.js';
import type { AccountArchiveService } from '../../modules/account-data/exports/account-archive.service.js';
import { AccountAccessService } from '../../modules/auth/account-access.service.js';
import { AuditLogRepository } from '../../modules/audit/audit-log.repository.js';
import { OperatorLogService } from '../../modules/audit/operator/operator-log.service.js';
import { ApiKeysRepository } from '../../modules/api-keys/api-keys.repository.js';
import { ApiKeysService } from '../../modules/api-keys/api-keys.service.js';
import { LoginBackoffRepository } from '../../modules/auth/passwords/login-backoff.repository.js';
import { LoginBackoffService } from '../../modules/auth/passwords/login-backoff.service.js';
import { PasswordLinksRepository } from '../../modules/auth/password-links/password-links.repository.js';
import { PasswordLinksService } from '../../modules/auth/password-links/password-links.service.js';
import { PasswordsService } from '../../modules/auth/passwords/passwords.service.js';
import { SessionsRepository } from '../../modules/auth/sessions/sessions.repository.js';
import { SessionsService } from '../../modules/auth/sessions/sessions.service.js';
import { BillingRepository } from '../../modules/billing/billing.repository.js';
import { BillingService } from '../../modules/billing/billing.service.js';

/** What the commands for accounts work with. */
export interface AccountServices {
  readonly database: Database;
  readonly accounts: AccountsService;
  /** Loaded when it is asked for: it brings the file storages along. */
  readonly archives: () => Promise<AccountArchiveService>;
  readonly directory: AccountDirectoryRepository;
  readonly holdings: AccountHoldingsRepository;
  readonly billing: BillingService;
  readonly closing: AccountClosingService;
  readonly keys: ApiKeysService;
  readonly links: PasswordLinksService;
  readonly log: OperatorLogService;
  readonly members: MembersService;
  readonly passwords: PasswordsService;
  /** Where people reach the console, without a slash at its end. */
  readonly origin: string;
}

/**
 * Creates the few services by hand. The application would take several times as long: it loads all modules, the queue
 * and the models before the first service is ready.
 */
export function accountServices(database: Database, config: Config): AccountServices {
  const { limits, retention, server } = config;
  const billing = new BillingService(new BillingRepository(database), database, limits, retention);
  const accounts = new AccountsService(new AccountsRepository(database), billing, database);
  const keys = new ApiKeysService(new ApiKeysRepository(database), accounts, database);
  const sessions = new SessionsService(new SessionsRepository(database));
  const backoff = new LoginBackoffService(new LoginBackoffRepository(database), limits);
  const members = new MembersService(new MembersRepository(database), accounts, database);
  const links = new PasswordLinksService(
    new PasswordLinksRepository(database),
    accounts,
    members,
    database,
    limits,
  );
  const passwords = new PasswordsService(accounts, members, sessions, links, backoff, database);
  const access = new AccountAccessService(accounts, members, keys, sessions, links, backoff);
  return {
    database,
    accounts,
    archives: () => archivesOf(database, config),
    directory: new AccountDirectoryRepository(database),
    holdings: new AccountHoldingsRepository(database),
    billing,
    closing: new AccountClosingService(
      new AccountDeletionsRepository(database),
      access,
      new AssistantClosingService(new AssistantsRepository(database)),
      database,
    ),
    keys,
    links,
    log: new OperatorLogService(new AuditLogRepository(database)),
    members,
    passwords,
    origin: publicOriginOf(server),
  };
}

async function archivesOf(
  database: Database,
  { database: where, storage }: Config,
): Promise<AccountArchiveService> {
  const [{ AccountArchiveService }, { AccountRowsRepository }, { storageFrom }] = await Promise.all([
    import('../../modules/account-data/exports/account-archive.service.js'),
    import('../../modules/account-data/exports/account-rows.repository.js'),
    import('../../providers/storage/storage.module.js'),
  ]);
  return new AccountArchiveService(new AccountRowsRepository(database), storageFrom(storage, where), where);
}
