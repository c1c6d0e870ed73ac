import { User } from '../modules/accounts/user.entity.js';
import { Plan } from '../modules/accounts/plan.entity.js';
import { ApiKey } from '../modules/api-keys/api-key.entity.js';
import { Session } from '../modules/auth/session.entity.js';
import { Hold } from '../modules/billing/hold.entity.js';
import { LedgerEntry } from '../modules/billing/ledger-entry.entity.js';
import { Wallet } from '../modules/billing/wallet.entity.js';
import { Tool } from '../modules/tools/tool.entity.js';

/** Every table that code maps. A new entity is added here and gets a migration. */
export const entities = [ApiKey, Hold, LedgerEntry, Plan, Session, Tool, User, Wallet];
