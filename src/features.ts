import { addFeature } from './add-feature.js';
import type { Feature } from './feature.js';
import { allowancesFeature } from './modules/allowances/allowances.feature.js';
import { accountDataFeature } from './modules/account-data/account-data.feature.js';
import { accountsFeature } from './modules/accounts/accounts.feature.js';
import { emailsFeature } from './modules/emails/emails.feature.js';
import { auditFeature } from './modules/audit/audit.feature.js';
import { authFeature } from './modules/auth/auth.feature.js';
import { apiKeysFeature } from './modules/api-keys/api-keys.feature.js';
import { assistantsFeature } from './modules/assistants/assistants.feature.js';
import { mcpServersFeature } from './modules/mcp-servers/mcp-servers.feature.js';
import { privacyFeature } from './modules/privacy/privacy.feature.js';
import { toolsFeature } from './modules/tools/tools.feature.js';
import { knowledgebasesFeature } from './modules/knowledgebases/knowledgebases.feature.js';
import { conversationsFeature } from './modules/conversations/conversations.feature.js';
import { savedRepliesFeature } from './modules/saved-replies/saved-replies.feature.js';
import { campaignsFeature } from './modules/campaigns/campaigns.feature.js';
import { leadsFeature } from './modules/leads/leads.feature.js';
import { callsFeature } from './modules/calls/calls.feature.js';
import { inboundRoutingFeature } from './modules/inbound-routing/inbound-routing.feature.js';
import { numberVerificationsFeature } from './modules/number-verifications/number-verifications.feature.js';
import { callerLookupsFeature } from './modules/caller-lookups/caller-lookups.feature.js';
import { personTakeoversFeature } from './modules/person-takeovers/person-takeovers.feature.js';
import { inboundEventsFeature } from './modules/inbound-events/inbound-events.feature.js';
import { inboundCallsFeature } from './modules/inbound-calls/inbound-calls.feature.js';
import { callAnnotationsFeature } from './modules/calls/annotations/call-annotations.feature.js';
import { callSharesFeature } from './modules/call-shares/call-shares.feature.js';
import { callMonitorsFeature } from './modules/call-monitors/call-monitors.feature.js';
import { webCallsFeature } from './modules/web-calls/web-calls.feature.js';
import { voiceServerFeature } from './modules/voice-server/voice-server.feature.js';
import { activeCallsFeature } from './modules/active-calls/active-calls.feature.js';
import { callCompletionFeature } from './modules/call-completion/call-completion.feature.js';
import { callSessionsFeature } from './modules/call-sessions/call-sessions.feature.js';
import { outboundCallsFeature } from './modules/outbound-calls/outbound-calls.feature.js';
import { callRecoveryFeature } from './modules/call-recovery/call-recovery.feature.js';
import { voiceWorkersFeature } from './modules/voice-workers/voice-workers.feature.js';
import { voiceSamplesFeature } from './modules/voice-samples/voice-samples.feature.js';
import { analyticsFeature } from './modules/analytics/analytics.feature.js';
import { carrierAccountsFeature } from './modules/carrier-accounts/carrier-accounts.feature.js';
import { phoneNumbersFeature } from './modules/phone-numbers/phone-numbers.feature.js';
import { doNotCallFeature } from './modules/do-not-call/do-not-call.feature.js';
import { modelKeysFeature } from './modules/model-keys/model-keys.feature.js';
import { simulationsFeature } from './modules/simulations/simulations.feature.js';
import { foldersFeature } from './modules/folders/folders.feature.js';
import { billingFeature } from './modules/billing/billing.feature.js';
import { webhooksFeature } from './modules/webhooks/webhooks.feature.js';
import { alertsFeature } from './modules/alerts/alerts.feature.js';
import { userEventsFeature } from './modules/user-events/user-events.feature.js';
import { healthFeature } from './modules/health/health.feature.js';
import { catalogFeature } from './modules/catalog/catalog.feature.js';
import { filesFeature } from './modules/files/files.feature.js';
import { encryptionKeysFeature } from './modules/encryption-keys/encryption-keys.feature.js';
import { idempotencyFeature } from './modules/idempotency/idempotency.feature.js';

/** The modules of the product, in the order in which the documentation presents them to a newcomer. */
export const features: readonly Feature[] = [
  accountsFeature,
  authFeature,
  apiKeysFeature,
  assistantsFeature,
  toolsFeature,
  mcpServersFeature,
  simulationsFeature,
  knowledgebasesFeature,
  conversationsFeature,
  savedRepliesFeature,
  campaignsFeature,
  leadsFeature,
  callsFeature,
  activeCallsFeature,
  callCompletionFeature,
  callSessionsFeature,
  outboundCallsFeature,
  callRecoveryFeature,
  voiceWorkersFeature,
  callerLookupsFeature,
  inboundEventsFeature,
  inboundCallsFeature,
  webCallsFeature,
  callMonitorsFeature,
  callSharesFeature,
  callAnnotationsFeature,
  personTakeoversFeature,
  voiceServerFeature,
  voiceSamplesFeature,
  analyticsFeature,
  phoneNumbersFeature,
  inboundRoutingFeature,
  numberVerificationsFeature,
  carrierAccountsFeature,
  modelKeysFeature,
  doNotCallFeature,
  privacyFeature,
  accountDataFeature,
  foldersFeature,
  billingFeature,
  allowancesFeature,
  webhooksFeature,
  alertsFeature,
  emailsFeature,
  userEventsFeature,
  healthFeature,
  auditFeature,
  catalogFeature,
  filesFeature,
  idempotencyFeature,
  encryptionKeysFeature,
];

features.forEach(addFeature);
