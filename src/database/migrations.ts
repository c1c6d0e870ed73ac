import { AccountsAndBilling1763600000001 } from './migrations/1763600000001-accounts-and-billing.js';
import { Tools1763600000002 } from './migrations/1763600000002-tools.js';
import { FoldersKnowledgebasesPhoneNumbers1763600000003 } from './migrations/1763600000003-folders-knowledgebases-phone-numbers.js';
import { PhoneNumbers1763600000005 } from './migrations/1763600000005-phone-numbers.js';
import { Documents1763600000007 } from './migrations/1763600000007-documents.js';
import { Assistants1763600000010 } from './migrations/1763600000010-assistants.js';
import { Conversations1763600000020 } from './migrations/1763600000020-conversations.js';
import { Calls1763600000030 } from './migrations/1763600000030-calls.js';
import { Campaigns1763600000040 } from './migrations/1763600000040-campaigns.js';
import { Leads1763600000041 } from './migrations/1763600000041-leads.js';
import { IdempotencyKeys1763600000050 } from './migrations/1763600000050-idempotency-keys.js';
import { Webhooks1763600000060 } from './migrations/1763600000060-webhooks.js';
import { IdleConversations1763600000061 } from './migrations/1763600000061-idle-conversations.js';
import { CallLife1763600000070 } from './migrations/1763600000070-call-life.js';
import { DoNotCall1763600000071 } from './migrations/1763600000071-do-not-call.js';
import { Dialler1763600000080 } from './migrations/1763600000080-dialler.js';
import { WordsByKnowledgebase1763600000090 } from './migrations/1763600000090-words-by-knowledgebase.js';
import { CallHistory1763600000091 } from './migrations/1763600000091-call-history.js';
import { WebhookRetention1763600000092 } from './migrations/1763600000092-webhook-retention.js';
import { CallPrices1763600000093 } from './migrations/1763600000093-call-prices.js';
import { VoidAtCommit1763600000094 } from './migrations/1763600000094-void-at-commit.js';
import { CarrierBreakers1763600000110 } from './migrations/1763600000110-carrier-breakers.js';
import { CallEndRequests1763600000111 } from './migrations/1763600000111-call-end-requests.js';
import { CallLines1763600000120 } from './migrations/1763600000120-call-lines.js';
import { VisitorLimits1763600000130 } from './migrations/1763600000130-visitor-limits.js';
import { AccountSetUp1763600000140 } from './migrations/1763600000140-account-set-up.js';
import { LoginBackoff1763600000160 } from './migrations/1763600000160-login-backoff.js';
import { Retention1763600000161 } from './migrations/1763600000161-retention.js';
import { MoneyFunctions1763600000180 } from './migrations/1763600000180-money-functions.js';
import { ChatTurns1763600000181 } from './migrations/1763600000181-chat-turns.js';
import { ToolPlaces1763600000190 } from './migrations/1763600000190-tool-places.js';
import { AbandonedTurns1763600000200 } from './migrations/1763600000200-abandoned-turns.js';
import { LeadDialFunctions1763600000210 } from './migrations/1763600000210-lead-dial-functions.js';
import { CallCarriers1763600000220 } from './migrations/1763600000220-call-carriers.js';
import { CallTurns1763600000221 } from './migrations/1763600000221-call-turns.js';
import { SessionsByKey1763600000240 } from './migrations/1763600000240-sessions-by-key.js';
import { Inbox1763600000241 } from './migrations/1763600000241-inbox.js';
import { WebCalls1763600000250 } from './migrations/1763600000250-web-calls.js';

/** In the order they are applied. */
export const migrations = [
  AccountsAndBilling1763600000001,
  Tools1763600000002,
  FoldersKnowledgebasesPhoneNumbers1763600000003,
  PhoneNumbers1763600000005,
  Documents1763600000007,
  Assistants1763600000010,
  Conversations1763600000020,
  Calls1763600000030,
  Campaigns1763600000040,
  Leads1763600000041,
  IdempotencyKeys1763600000050,
  Webhooks1763600000060,
  IdleConversations1763600000061,
  CallLife1763600000070,
  DoNotCall1763600000071,
  Dialler1763600000080,
  WordsByKnowledgebase1763600000090,
  CallHistory1763600000091,
  WebhookRetention1763600000092,
  CallPrices1763600000093,
  VoidAtCommit1763600000094,
  CarrierBreakers1763600000110,
  CallEndRequests1763600000111,
  CallLines1763600000120,
  VisitorLimits1763600000130,
  AccountSetUp1763600000140,
  LoginBackoff1763600000160,
  Retention1763600000161,
  MoneyFunctions1763600000180,
  ChatTurns1763600000181,
  ToolPlaces1763600000190,
  AbandonedTurns1763600000200,
  LeadDialFunctions1763600000210,
  CallCarriers1763600000220,
  CallTurns1763600000221,
  SessionsByKey1763600000240,
  Inbox1763600000241,
  WebCalls1763600000250,
];
