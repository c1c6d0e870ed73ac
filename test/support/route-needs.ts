import type { Need } from '../../src/common/auth/scopes.js';

/**
 * Operations that need something else than their method says: a GET `read`, and everything else `admin`. A line in
 * `src/common/auth/scopes.ts` comes with an entry here, and one alone of the two fails.
 */
const EXCEPTIONS: Readonly<Record<Need, readonly string[]>> = {
  anyone: ['beginBrowserSession'],
  session: ['endBrowserSession', 'getOwnRights', 'logout'],
  self: ['changePassword', 'endOtherSessions', 'endSession', 'listSessions'],
  read: ['searchKnowledgebase'],
  chat: `assignConversation closeConversation createConversation createSavedReply deleteSavedReply disableAi enableAi handBackConversation listAssignees listSavedReplies markConversationRead
    markConversationUnread openTestConversation reopenConversation sendAgentMessage setConversationTags showTyping takeOverConversation updateSavedReply`.split(
    /\s+/,
  ),
  calls:
    `addDoNotCall deleteCall deleteDoNotCall acceptTransferOffer declineTransferOffer getAvailability hangUpCall listTransferOffers makeCall monitorCall openOwnWebCall
    revokeCallShare shareCall addCallNote deleteCallNote setCallTags
    updateAvailability`.split(/\s+/),
  campaigns:
    `createCampaign createCampaignAlias createLead deleteCampaign deleteLead importLeads readLeadColumns updateCampaign
    updateCampaignStatus patchLead updateLead updateLeadAlias`.split(/\s+/),
  admin:
    `downloadAccountExport getAccountExport getChatModelKey getErasure getNumberRouting getRetention getSpeechModelKey getTwilioAccount getWebhookEndpointSecret
    getWebhookSecret exportAuditLog listAccountExports listApiKeys listAuditLog listMembers listNumberLookups listSpeechModelKeys`.split(
      /\s+/,
    ),
};

export const NEED_OF_EXCEPTION: ReadonlyMap<string, Need> = new Map(
  (Object.entries(EXCEPTIONS) as [Need, readonly string[]][]).flatMap(([need, operations]) =>
    operations.map((operation): [string, Need] => [operation, need]),
  ),
);

/** What an operation is expected to need, independent of the rules of the product. */
export function expectedNeedOf(operationId: string, method: string): Need {
  return NEED_OF_EXCEPTION.get(operationId) ?? (method === 'get' ? 'read' : 'admin');
}

/** Answer an API key with 403, whatever its scopes: they are about the signed-in person. */
export const FOR_PERSONS: ReadonlySet<string> = new Set(['getAvailability', 'updateAvailability']);

/** Answer with a stream that ends late, when they answer at all. */
export const STREAMS: ReadonlySet<string> = new Set(['watchAccount']);

const UNKNOWN_UUID = '5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e';

/** A path of a route in which every id names nothing. */
export function pathOf(route: string): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'uuid' ? UNKNOWN_UUID : '1999999999'));
}
