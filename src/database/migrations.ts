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
import { SipTrunkStates1763600000260 } from './migrations/1763600000260-sip-trunk-states.js';
import { CallRecordings1763600000265 } from './migrations/1763600000265-call-recordings.js';
import { VoiceProcesses1763600000270 } from './migrations/1763600000270-voice-processes.js';
import { DailySpend1763600000280 } from './migrations/1763600000280-daily-spend.js';
import { PlannedFunctions1763600000290 } from './migrations/1763600000290-planned-functions.js';
import { Erasures1763600000310 } from './migrations/1763600000310-erasures.js';
import { AuditLog1763600000311 } from './migrations/1763600000311-audit-log.js';
import { Retention1763600000312 } from './migrations/1763600000312-retention.js';
import { KeyScopes1763600000320 } from './migrations/1763600000320-key-scopes.js';
import { Members1763600000321 } from './migrations/1763600000321-members.js';
import { AddedWebhookKinds1763600000340 } from './migrations/1763600000340-added-webhook-kinds.js';
import { AssistantPrompts1763600000360 } from './migrations/1763600000360-assistant-prompts.js';
import { McpServers1763600000370 } from './migrations/1763600000370-mcp-servers.js';
import { AuditMembers1763600000380 } from './migrations/1763600000380-audit-members.js';
import { WebhookSubscriptions1763600000415 } from './migrations/1763600000415-webhook-subscriptions.js';
import { CallFigures1763600000416 } from './migrations/1763600000416-call-figures.js';
import { Simulations1763600000435 } from './migrations/1763600000435-simulations.js';
import { AccountDeletions1763600000445 } from './migrations/1763600000445-account-deletions.js';
import { AccountExports1763600000446 } from './migrations/1763600000446-account-exports.js';
import { CarrierPaces1763600000465 } from './migrations/1763600000465-carrier-paces.js';
import { LineStates1763600000470 } from './migrations/1763600000470-line-states.js';
import { TurnsGivenBack1763600000491 } from './migrations/1763600000491-turns-given-back.js';
import { ConversationHandoffs1763600000511 } from './migrations/1763600000511-conversation-handoffs.js';
import { TrunkMediaEncryption1763600000521 } from './migrations/1763600000521-trunk-media-encryption.js';
import { LeadCounts1763600000531 } from './migrations/1763600000531-lead-counts.js';
import { KeptRecordingUrl1763600000532 } from './migrations/1763600000532-kept-recording-url.js';
import { FileReaders1763600000533 } from './migrations/1763600000533-file-readers.js';
import { CheckedTurns1763600000540 } from './migrations/1763600000540-checked-turns.js';
import { CallHandoffs1763600000551 } from './migrations/1763600000551-call-handoffs.js';
import { SimulationUsage1763600000586 } from './migrations/1763600000586-simulation-usage.js';
import { CarrierAccounts1763600000606 } from './migrations/1763600000606-carrier-accounts.js';
import { ClosedAssistants1763600000616 } from './migrations/1763600000616-closed-assistants.js';
import { TrunkCallLimits1763600000626 } from './migrations/1763600000626-trunk-call-limits.js';
import { McpErrorCodes1763600000636 } from './migrations/1763600000636-mcp-error-codes.js';
import { SecondLegNumbers1763600000666 } from './migrations/1763600000666-second-leg-numbers.js';
import { NumberAdoptions1763600000700 } from './migrations/1763600000700-number-adoptions.js';
import { NumberRents1763600000701 } from './migrations/1763600000701-number-rents.js';
import { ModelKeys1763600000710 } from './migrations/1763600000710-model-keys.js';
import { ConversationTokens1763600000720 } from './migrations/1763600000720-conversation-tokens.js';
import { CallTokens1763600000721 } from './migrations/1763600000721-call-tokens.js';
import { LeadSteps1763600000730 } from './migrations/1763600000730-lead-steps.js';
import { UnpaidRents1763600000740 } from './migrations/1763600000740-unpaid-rents.js';
import { SpeechKeys1763600000750 } from './migrations/1763600000750-speech-keys.js';
import { CallGatekeepers1763600000760 } from './migrations/1763600000760-call-gatekeepers.js';
import { PasswordLinks1763600000764 } from './migrations/1763600000764-password-links.js';
import { VerifiedNumbers1763600000770 } from './migrations/1763600000770-verified-numbers.js';
import { NumberVerifications1763600000771 } from './migrations/1763600000771-number-verifications.js';
import { CallPaces1763600000780 } from './migrations/1763600000780-call-paces.js';
import { TimeInZone1763600000790 } from './migrations/1763600000790-time-in-zone.js';
import { ConversationEnds1763600000800 } from './migrations/1763600000800-conversation-ends.js';
import { EndedConversations1763600000801 } from './migrations/1763600000801-ended-conversations.js';
import { SealedAnswers1763600000802 } from './migrations/1763600000802-sealed-answers.js';
import { DeliveryLists1763600000803 } from './migrations/1763600000803-delivery-lists.js';
import { SipTrunkLimits1763600000820 } from './migrations/1763600000820-sip-trunk-limits.js';
import { VisitorCounters1763600000840 } from './migrations/1763600000840-visitor-counters.js';
import { SimulationTools1763600000860 } from './migrations/1763600000860-simulation-tools.js';
import { PromptPruning1763600000870 } from './migrations/1763600000870-prompt-pruning.js';
import { CallDimensionTotals1763600000880 } from './migrations/1763600000880-call-dimension-totals.js';
import { LeadRefusals1763600000910 } from './migrations/1763600000910-lead-refusals.js';
import { RememberedTools1763600000930 } from './migrations/1763600000930-remembered-tools.js';
import { UnreadParts1763600000940 } from './migrations/1763600000940-unread-parts.js';
import { WordVersions1763600000950 } from './migrations/1763600000950-word-versions.js';
import { SpeechKeyRegions1763600000960 } from './migrations/1763600000960-speech-key-regions.js';
import { CallVoices1763600000961 } from './migrations/1763600000961-call-voices.js';
import { StartingVoice1763600000962 } from './migrations/1763600000962-starting-voice.js';
import { ActivationByUse1763600000970 } from './migrations/1763600000970-activation-by-use.js';
import { DecidedAssistants1763600000971 } from './migrations/1763600000971-decided-assistants.js';
import { ConversationEndings1763600000972 } from './migrations/1763600000972-conversation-endings.js';
import { ConversationCustomers1763600000980 } from './migrations/1763600000980-conversation-customers.js';
import { FasterTurnHistory1763600000985 } from './migrations/1763600000985-faster-turn-history.js';
import { TrunkOutboundProxies1763600002000 } from './migrations/1763600002000-trunk-outbound-proxies.js';
import { CallEndReasons1763600004010 } from './migrations/1763600004010-call-end-reasons.js';
import { CallFunctionCalls1763600006000 } from './migrations/1763600006000-call-function-calls.js';
import { DatabaseFunctions1763600009001 } from './migrations/1763600009001-database-functions.js';

/** In the order they are applied. */
export const migrations = [
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
  SipTrunkStates1763600000260,
  CallRecordings1763600000265,
  VoiceProcesses1763600000270,
  DailySpend1763600000280,
  PlannedFunctions1763600000290,
  Erasures1763600000310,
  AuditLog1763600000311,
  Retention1763600000312,
  KeyScopes1763600000320,
  Members1763600000321,
  AddedWebhookKinds1763600000340,
  AssistantPrompts1763600000360,
  McpServers1763600000370,
  AuditMembers1763600000380,
  WebhookSubscriptions1763600000415,
  CallFigures1763600000416,
  Simulations1763600000435,
  AccountDeletions1763600000445,
  AccountExports1763600000446,
  CarrierPaces1763600000465,
  LineStates1763600000470,
  TurnsGivenBack1763600000491,
  ConversationHandoffs1763600000511,
  TrunkMediaEncryption1763600000521,
  LeadCounts1763600000531,
  KeptRecordingUrl1763600000532,
  FileReaders1763600000533,
  CheckedTurns1763600000540,
  CallHandoffs1763600000551,
  SimulationUsage1763600000586,
  CarrierAccounts1763600000606,
  ClosedAssistants1763600000616,
  TrunkCallLimits1763600000626,
  McpErrorCodes1763600000636,
  SecondLegNumbers1763600000666,
  NumberAdoptions1763600000700,
  NumberRents1763600000701,
  ModelKeys1763600000710,
  ConversationTokens1763600000720,
  CallTokens1763600000721,
  LeadSteps1763600000730,
  UnpaidRents1763600000740,
  SpeechKeys1763600000750,
  CallGatekeepers1763600000760,
  PasswordLinks1763600000764,
  VerifiedNumbers1763600000770,
  NumberVerifications1763600000771,
  CallPaces1763600000780,
  TimeInZone1763600000790,
  ConversationEnds1763600000800,
  EndedConversations1763600000801,
  SealedAnswers1763600000802,
  DeliveryLists1763600000803,
  SipTrunkLimits1763600000820,
  VisitorCounters1763600000840,
  SimulationTools1763600000860,
  PromptPruning1763600000870,
  CallDimensionTotals1763600000880,
  LeadRefusals1763600000910,
  RememberedTools1763600000930,
  UnreadParts1763600000940,
  WordVersions1763600000950,
  SpeechKeyRegions1763600000960,
  CallVoices1763600000961,
  StartingVoice1763600000962,
  ActivationByUse1763600000970,
  DecidedAssistants1763600000971,
  ConversationEndings1763600000972,
  ConversationCustomers1763600000980,
  FasterTurnHistory1763600000985,
  TrunkOutboundProxies1763600002000,
  CallEndReasons1763600004010,
  CallFunctionCalls1763600006000,
  DatabaseFunctions1763600009001,
];
