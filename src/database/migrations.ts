import type { MigrationInterface } from 'typeorm';
import { Accounts1763600000001 } from './migrations/1763600000001-accounts.js';
import { Billing1763600000002 } from './migrations/1763600000002-billing.js';
import { Folders1763600000003 } from './migrations/1763600000003-folders.js';
import { Tools1763600000004 } from './migrations/1763600000004-tools.js';
import { PhoneNumbers1763600000005 } from './migrations/1763600000005-phone-numbers.js';
import { Knowledgebases1763600000007 } from './migrations/1763600000007-knowledgebases.js';
import { Assistants1763600000010 } from './migrations/1763600000010-assistants.js';
import { Conversations1763600000020 } from './migrations/1763600000020-conversations.js';
import { ChatTurns1763600000021 } from './migrations/1763600000021-chat-turns.js';
import { Campaigns1763600000030 } from './migrations/1763600000030-campaigns.js';
import { Leads1763600000031 } from './migrations/1763600000031-leads.js';
import { Calls1763600000040 } from './migrations/1763600000040-calls.js';
import { ActiveCalls1763600000041 } from './migrations/1763600000041-active-calls.js';
import { IdempotencyKeys1763600000050 } from './migrations/1763600000050-idempotency-keys.js';
import { Webhooks1763600000060 } from './migrations/1763600000060-webhooks.js';
import { Visitors1763600000070 } from './migrations/1763600000070-visitors.js';
import { DatabaseFunctions1763600009001 } from './migrations/1763600009001-database-functions.js';
import { Billing1763600009002 } from './migrations/1763600009002-billing.js';
import { Members1763600009003 } from './migrations/1763600009003-members.js';
import { AuditLog1763600009004 } from './migrations/1763600009004-audit-log.js';
import { AccountData1763600009005 } from './migrations/1763600009005-account-data.js';
import { McpServers1763600009006 } from './migrations/1763600009006-mcp-servers.js';
import { ModelKeys1763600009007 } from './migrations/1763600009007-model-keys.js';
import { Assistants1763600009008 } from './migrations/1763600009008-assistants.js';
import { DecidedAssistants1763600009009 } from './migrations/1763600009009-decided-assistants.js';
import { Conversations1763600009010 } from './migrations/1763600009010-conversations.js';
import { EndedConversations1763600009011 } from './migrations/1763600009011-ended-conversations.js';
import { ConversationLists1763600009012 } from './migrations/1763600009012-conversation-lists.js';
import { WebhookSubscriptions1763600009013 } from './migrations/1763600009013-webhook-subscriptions.js';
import { Calls1763600009014 } from './migrations/1763600009014-calls.js';
import { CallLists1763600009015 } from './migrations/1763600009015-call-lists.js';
import { CallTotals1763600009016 } from './migrations/1763600009016-call-totals.js';
import { ActiveCalls1763600009017 } from './migrations/1763600009017-active-calls.js';
import { CallRates1763600009018 } from './migrations/1763600009018-call-rates.js';
import { SipTrunks1763600009019 } from './migrations/1763600009019-sip-trunks.js';
import { PhoneNumbers1763600009020 } from './migrations/1763600009020-phone-numbers.js';
import { Leads1763600009021 } from './migrations/1763600009021-leads.js';
import { Simulations1763600009022 } from './migrations/1763600009022-simulations.js';
import { Documents1763600009023 } from './migrations/1763600009023-documents.js';
import { PluginEvents1763600009024 } from './migrations/1763600009024-plugin-events.js';
import { ReservedLines1764200000101 } from './migrations/1764200000101-reserved-lines.js';
import { DailyUsage1764200000201 } from './migrations/1764200000201-daily-usage.js';
import { LeadRefusals1764200000202 } from './migrations/1764200000202-lead-refusals.js';
import { VisitorsConversations1764200000203 } from './migrations/1764200000203-visitors-conversations.js';
import { MigrationReleases1764200000401 } from './migrations/1764200000401-migration-releases.js';
import { EncryptionKeys1764200000402 } from './migrations/1764200000402-encryption-keys.js';
import { Emails1764200000601 } from './migrations/1764200000601-emails.js';
import { Identities1764200000602 } from './migrations/1764200000602-identities.js';
import { OldFunctions1764200000701 } from './migrations/1764200000701-old-functions.js';
import { DatabaseBackups1764200000801 } from './migrations/1764200000801-database-backups.js';
import { SkippedRecordings1764200000802 } from './migrations/1764200000802-skipped-recordings.js';
import { InstallationAuditLog1764200000951 } from './migrations/1764200000951-installation-audit-log.js';
import { CallerLookups1764201000001 } from './migrations/1764201000001-caller-lookups.js';
import { NumberRoutings1764201000101 } from './migrations/1764201000101-number-routings.js';
import { NumberLookups1764201000201 } from './migrations/1764201000201-number-lookups.js';
import { RoutingCounts1764201000401 } from './migrations/1764201000401-routing-counts.js';
import { WaitingCalls1764201000501 } from './migrations/1764201000501-waiting-calls.js';
import { WaitedCalls1764201000601 } from './migrations/1764201000601-waited-calls.js';
import { OldColumns1764201000901 } from './migrations/1764201000901-old-columns.js';
import { AssistantLabels1764201001001 } from './migrations/1764201001001-assistant-labels.js';
import { CallMonitors1764201001101 } from './migrations/1764201001101-call-monitors.js';
import { CallWords1764201001201 } from './migrations/1764201001201-call-words.js';
import { MemberAvailabilities1764201001301 } from './migrations/1764201001301-member-availabilities.js';
import { CallTakeovers1764201001401 } from './migrations/1764201001401-call-takeovers.js';
import { CallShares1764201001601 } from './migrations/1764201001601-call-shares.js';
import { CallAnnotations1764201001701 } from './migrations/1764201001701-call-annotations.js';
import { ConversationAssignees1764201001801 } from './migrations/1764201001801-conversation-assignees.js';
import { ReopenedConversations1764201001802 } from './migrations/1764201001802-reopened-conversations.js';
import { SavedReplies1764201001901 } from './migrations/1764201001901-saved-replies.js';
import { TransferOffers1764201002001 } from './migrations/1764201002001-transfer-offers.js';
import { ConversationTags1764201002201 } from './migrations/1764201002201-conversation-tags.js';
import type { StatedMigration } from './stated-migration.js';

/** Those of 0.2.0 and 0.3.0, which never change. */
const releasedMigrations = [
  Accounts1763600000001,
  Billing1763600000002,
  Folders1763600000003,
  Tools1763600000004,
  PhoneNumbers1763600000005,
  Knowledgebases1763600000007,
  Assistants1763600000010,
  Conversations1763600000020,
  ChatTurns1763600000021,
  Campaigns1763600000030,
  Leads1763600000031,
  Calls1763600000040,
  ActiveCalls1763600000041,
  IdempotencyKeys1763600000050,
  Webhooks1763600000060,
  Visitors1763600000070,
  DatabaseFunctions1763600009001,
  Billing1763600009002,
  Members1763600009003,
  AuditLog1763600009004,
  AccountData1763600009005,
  McpServers1763600009006,
  ModelKeys1763600009007,
  Assistants1763600009008,
  DecidedAssistants1763600009009,
  Conversations1763600009010,
  EndedConversations1763600009011,
  ConversationLists1763600009012,
  WebhookSubscriptions1763600009013,
  Calls1763600009014,
  CallLists1763600009015,
  CallTotals1763600009016,
  ActiveCalls1763600009017,
  CallRates1763600009018,
  SipTrunks1763600009019,
  PhoneNumbers1763600009020,
  Leads1763600009021,
  Simulations1763600009022,
  Documents1763600009023,
  PluginEvents1763600009024,
];

/** Each states which older releases run on the database after it. */
const statedMigrations: readonly (new () => StatedMigration)[] = [
  ReservedLines1764200000101,
  DailyUsage1764200000201,
  LeadRefusals1764200000202,
  VisitorsConversations1764200000203,
  MigrationReleases1764200000401,
  EncryptionKeys1764200000402,
  Emails1764200000601,
  Identities1764200000602,
  OldFunctions1764200000701,
  DatabaseBackups1764200000801,
  SkippedRecordings1764200000802,
  InstallationAuditLog1764200000951,
  CallerLookups1764201000001,
  NumberRoutings1764201000101,
  NumberLookups1764201000201,
  RoutingCounts1764201000401,
  WaitingCalls1764201000501,
  WaitedCalls1764201000601,
  OldColumns1764201000901,
  AssistantLabels1764201001001,
  CallMonitors1764201001101,
  CallWords1764201001201,
  MemberAvailabilities1764201001301,
  CallTakeovers1764201001401,
  CallShares1764201001601,
  CallAnnotations1764201001701,
  ConversationAssignees1764201001801,
  ReopenedConversations1764201001802,
  SavedReplies1764201001901,
  TransferOffers1764201002001,
  ConversationTags1764201002201,
];

/** In the order they are applied. */
export const migrations: (new () => MigrationInterface)[] = [...releasedMigrations, ...statedMigrations];
