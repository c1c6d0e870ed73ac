import type { NestExpressApplication } from '@nestjs/platform-express';
import { prefixOf } from '../common/auth/opaque-token.js';
import type { Config } from '../config/config.js';
import { EnvironmentError } from '../config/environment.js';
import { AccountsService } from '../modules/accounts/accounts.service.js';
import { ApiKeysService } from '../modules/api-keys/api-keys.service.js';
import { AssistantsService } from '../modules/assistants/assistants.service.js';
import { BillingService } from '../modules/billing/billing.service.js';
import { CatalogService } from '../modules/catalog/catalog.service.js';
import { ConversationOpeningsService } from '../modules/conversations/conversation-openings.service.js';
import { demoAssistant } from './demo-assistant.js';

const DEMO_EMAIL = 'demo@prosa.local';
const DEMO_BALANCE_MICROS = 10_000_000;

/** What the banner tells after a first start. */
export interface FirstAccount {
  readonly email: string;
  readonly apiKey: string;
  readonly assistantUuid: string;
  /** A free test conversation, ready to be written in. */
  readonly conversationId: string;
}

/**
 * Makes the first account, once: the one of `BOOTSTRAP_*`, or on an embedded database a demo account with an assistant
 * and a conversation to try. Later starts change nothing.
 */
export async function openFirstAccount(
  app: NestExpressApplication,
  config: Config,
  embedded: boolean,
): Promise<FirstAccount | null> {
  if (Object.values(config.bootstrap).some((value) => value !== undefined)) {
    await openConfiguredAccount(app, config);
    return null;
  }
  return embedded ? openDemoAccount(app) : null;
}

async function openConfiguredAccount(app: NestExpressApplication, { bootstrap }: Config): Promise<void> {
  const { email, password, apiKey, balanceMicros } = bootstrap;
  if (email === undefined)
    throw new EnvironmentError('BOOTSTRAP_EMAIL is needed with the other BOOTSTRAP_ variables.');
  if (apiKey !== undefined && prefixOf(apiKey) !== 'prosa_') {
    throw new EnvironmentError(
      'BOOTSTRAP_API_KEY is not a key of ours. Make one with: npm run account -- new-key',
    );
  }
  const accounts = app.get(AccountsService);
  if (await accounts.findByEmail(email)) return;
  const account = await accounts.create({ name: email, email, password });
  if (apiKey !== undefined) await app.get(ApiKeysService).create(account.id, 'Bootstrap', apiKey);
  if (balanceMicros) await app.get(BillingService).credit(account.id, balanceMicros, 'bootstrap');
}

async function openDemoAccount(app: NestExpressApplication): Promise<FirstAccount | null> {
  const accounts = app.get(AccountsService);
  if (await accounts.findByEmail(DEMO_EMAIL)) return null;
  const account = await accounts.create({ name: 'Demo', email: DEMO_EMAIL });
  await app.get(BillingService).credit(account.id, DEMO_BALANCE_MICROS, 'bootstrap');
  const { token } = await app.get(ApiKeysService).create(account.id, 'Demo');
  const { uuid } = await app
    .get(AssistantsService)
    .create(account.id, demoAssistant(app.get(CatalogService)));
  const { conversation } = await app.get(ConversationOpeningsService).openTest(account.id, uuid);
  return { email: DEMO_EMAIL, apiKey: token, assistantUuid: uuid, conversationId: conversation.id };
}
