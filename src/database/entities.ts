import { AccountExport } from '../modules/account-data/exports/account-export.entity.js';
import { AccountDeletion } from '../modules/account-data/deletion/account-deletion.entity.js';
import { IdempotencyKey } from '../modules/idempotency/idempotency-key.entity.js';
import { MemberAvailability } from '../modules/accounts/members/availability/member-availability.entity.js';
import { Identity } from '../modules/accounts/members/identities/identity.entity.js';
import { Invitation } from '../modules/accounts/members/invitation.entity.js';
import { Member } from '../modules/accounts/members/member.entity.js';
import { Plan } from '../modules/accounts/plan.entity.js';
import { User } from '../modules/accounts/user.entity.js';
import { Email } from '../modules/emails/email.entity.js';
import { PasswordRequest } from '../modules/auth/password-links/requests/password-request.entity.js';
import { Alert } from '../modules/alerts/alert.entity.js';
import { ApiKey } from '../modules/api-keys/api-key.entity.js';
import { AssistantPrompt } from '../modules/assistants/prompts/assistant-prompt.entity.js';
import { AssistantTool } from '../modules/assistants/tools/assistant-tool.entity.js';
import { Assistant } from '../modules/assistants/assistant.entity.js';
import { AuditLogEntry } from '../modules/audit/audit-log-entry.entity.js';
import { PasswordLink } from '../modules/auth/password-links/password-link.entity.js';
import { TrustedLoginIp } from '../modules/auth/passwords/trusted-login-ip.entity.js';
import { LoginBackoff } from '../modules/auth/passwords/login-backoff.entity.js';
import { Session } from '../modules/auth/sessions/session.entity.js';
import { Hold } from '../modules/billing/holds/hold.entity.js';
import { LedgerEntry } from '../modules/billing/ledger-entry.entity.js';
import { VisitorUsage } from '../modules/billing/spend/visitor-usage.entity.js';
import { Wallet } from '../modules/billing/wallet.entity.js';
import { CarrierBreaker } from '../modules/active-calls/carrier-breaker/carrier-breaker.entity.js';
import { AccountPace } from '../modules/active-calls/rate-limit/account-pace.entity.js';
import { CarrierPace } from '../modules/active-calls/rate-limit/carrier-pace.entity.js';
import { TrunkPace } from '../modules/active-calls/rate-limit/trunk-pace.entity.js';
import { CallShare } from '../modules/call-shares/call-share.entity.js';
import { CallNote } from '../modules/calls/annotations/call-note.entity.js';
import { CallTag } from '../modules/calls/annotations/call-tag.entity.js';
import { CallMonitor } from '../modules/calls/monitors/call-monitor.entity.js';
import { CallTurn } from '../modules/calls/turns/call-turn.entity.js';
import { ActiveCall } from '../modules/active-calls/active-call.entity.js';
import { Call } from '../modules/calls/call.entity.js';
import { VoiceProcess } from '../modules/voice-workers/voice-process.entity.js';
import { WebCall } from '../modules/web-calls/web-call.entity.js';
import { CampaignPhoneNumber } from '../modules/campaigns/campaign-phone-number.entity.js';
import { Campaign } from '../modules/campaigns/campaign.entity.js';
import { DialAttempt } from '../modules/campaigns/dialler/attempts/dial-attempt.entity.js';
import { CarrierAccount } from '../modules/carrier-accounts/carrier-account.entity.js';
import { Conversation } from '../modules/conversations/conversation.entity.js';
import { ConversationTag } from '../modules/conversations/inbox/conversation-tag.entity.js';
import { ConversationEnding } from '../modules/conversations/endings/conversation-ending.entity.js';
import { Message } from '../modules/conversations/message.entity.js';
import { DoNotCallEntry } from '../modules/do-not-call/do-not-call-entry.entity.js';
import { Folder } from '../modules/folders/folder.entity.js';
import { Label } from '../modules/assistants/labels/label.entity.js';
import { DocumentChunk } from '../modules/knowledgebases/ingestion/document-chunk.entity.js';
import { DocumentSource } from '../modules/knowledgebases/documents/document-source.entity.js';
import { Document } from '../modules/knowledgebases/documents/document.entity.js';
import { FileCleanup } from '../modules/files/file-cleanup.entity.js';
import { Knowledgebase } from '../modules/knowledgebases/knowledgebase.entity.js';
import { LeadDial } from '../modules/leads/lead-dial.entity.js';
import { LeadImport } from '../modules/leads/imports/lead-import.entity.js';
import { LeadRefusal } from '../modules/leads/imports/refusals/lead-refusal.entity.js';
import { Lead } from '../modules/leads/lead.entity.js';
import { NumberVerification } from '../modules/number-verifications/number-verification.entity.js';
import { CarrierOrder } from '../modules/phone-numbers/carrier-numbers/carrier-order.entity.js';
import { TransferOffer } from '../modules/person-takeovers/offers/transfer-offer.entity.js';
import { PhoneNumberGrant } from '../modules/phone-numbers/phone-number-grant.entity.js';
import { NumberLookupRow } from '../modules/inbound-routing/lookups/number-lookup.entity.js';
import { NumberRoutingRow } from '../modules/inbound-routing/number-routing.entity.js';
import { PhoneNumber } from '../modules/phone-numbers/phone-number.entity.js';
import { AssistantMcpTool } from '../modules/mcp-servers/assistant-mcp-tool.entity.js';
import { McpServer } from '../modules/mcp-servers/mcp-server.entity.js';
import { McpToolRow } from '../modules/mcp-servers/mcp-tool.entity.js';
import { ModelKey } from '../modules/model-keys/model-key.entity.js';
import { SimulationRun } from '../modules/simulations/simulation-run.entity.js';
import { SavedReply } from '../modules/saved-replies/saved-reply.entity.js';
import { Simulation } from '../modules/simulations/simulation.entity.js';
import { SipTrunk } from '../modules/phone-numbers/sip-trunk.entity.js';
import { SipTrunkState } from '../modules/phone-numbers/trunk-connections/sip-trunk-state.entity.js';
import { Erasure } from '../modules/privacy/erasure.entity.js';
import { RetentionSettings } from '../modules/privacy/retention/retention-settings.entity.js';
import { Tool } from '../modules/tools/tool.entity.js';
import { UsedChallenge } from '../modules/visitors/used-challenge.entity.js';
import { VisitorOpening } from '../modules/visitors/visitor-opening.entity.js';
import { WebhookAttempt } from '../modules/webhooks/delivery/webhook-attempt.entity.js';
import { WebhookDelivery } from '../modules/webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../modules/webhooks/webhook-endpoint.entity.js';
import { PluginEventListener } from '../modules/webhooks/plugin-events/plugin-event-listener.entity.js';
import { PluginEvent } from '../modules/webhooks/plugin-events/plugin-event.entity.js';
import { WebhookSecret } from '../modules/webhooks/secrets/webhook-secret.entity.js';
import { WebhookSubscription } from '../modules/webhooks/subscriptions/webhook-subscription.entity.js';

/** Every table that code maps. A new entity is added here and gets a migration. */
export const entities = [
  AccountDeletion,
  AccountExport,
  Alert,
  ApiKey,
  Assistant,
  AssistantPrompt,
  AssistantTool,
  AuditLogEntry,
  Call,
  ActiveCall,
  CallMonitor,
  CallNote,
  CallShare,
  CallTag,
  CallTurn,
  VoiceProcess,
  WebCall,
  CarrierBreaker,
  AccountPace,
  CarrierPace,
  TrunkPace,
  Campaign,
  CampaignPhoneNumber,
  CarrierOrder,
  Conversation,
  ConversationTag,
  ConversationEnding,
  DialAttempt,
  DoNotCallEntry,
  Document,
  DocumentChunk,
  DocumentSource,
  Email,
  FileCleanup,
  Erasure,
  Folder,
  Label,
  Hold,
  IdempotencyKey,
  Knowledgebase,
  TrustedLoginIp,
  Lead,
  LeadDial,
  LeadImport,
  LeadRefusal,
  LedgerEntry,
  LoginBackoff,
  AssistantMcpTool,
  CarrierAccount,
  McpServer,
  McpToolRow,
  Message,
  ModelKey,
  NumberVerification,
  PasswordLink,
  PasswordRequest,
  NumberLookupRow,
  NumberRoutingRow,
  PhoneNumber,
  PhoneNumberGrant,
  Identity,
  MemberAvailability,
  TransferOffer,
  Invitation,
  Member,
  Plan,
  RetentionSettings,
  Session,
  SavedReply,
  Simulation,
  SimulationRun,
  SipTrunk,
  SipTrunkState,
  Tool,
  UsedChallenge,
  User,
  VisitorOpening,
  VisitorUsage,
  Wallet,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  PluginEvent,
  PluginEventListener,
  WebhookSecret,
  WebhookSubscription,
];
