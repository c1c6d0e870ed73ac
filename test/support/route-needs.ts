import type { Need } from '../../src/common/auth/scopes.js';

/** What each operation needs that takes a token. A new route is to be entered here, so that somebody has thought of it. */
export const OPERATIONS_OF: Readonly<Record<Need, readonly string[]>> = {
  anyone: ['beginBrowserSession'],
  session: ['endBrowserSession', 'getOwnRights', 'logout'],
  self: ['changePassword', 'endOtherSessions', 'endSession', 'listSessions'],
  read: `exportCalls exportLeads getAssistant getCall getCallRecording getCampaign getCampaignProgress getDailySpend getDocument
    getAnalytics getInboxConversation getKnowledgebase getLead getLeadImport getMcpServer getMe getSettings getSimulation getSipTrunk getSpendLimits getTool
    getWebhookDelivery getWebhookEndpoint listAlerts listAssistantPhoneNumbers listAssistantPrompts listAssistants listCalls listCampaigns listConversations
    listDoNotCall listDocuments listFolders listKnowledgebases listLanguages listAssistantMcpTools listLeadImports listLeads listMcpServers listMcpTools listMessages
    listModels listOutboundAssistants listPhoneNumbers listSimulations listSipTrunks listSmsPhoneNumbers listSynthesizerProviders
    listTools listTransactions listTranscriberProviders listVoices listWebhookDeliveries listWebhookEndpoints listWebhookEvents pageAssistants
    searchKnowledgebase searchPhoneNumbers watchAccount`.split(/\s+/),
  chat: `closeConversation createConversation disableAi enableAi handBackConversation markConversationRead
    markConversationUnread openTestConversation sendAgentMessage showTyping takeOverConversation`.split(
    /\s+/,
  ),
  calls: ['addDoNotCall', 'deleteCall', 'deleteDoNotCall', 'hangUpCall', 'makeCall', 'openOwnWebCall'],
  campaigns:
    `createCampaign createCampaignAlias createLead deleteCampaign deleteLead importLeads updateCampaign
    updateCampaignStatus updateLead`.split(/\s+/),
  admin:
    `allowMcpTool beginSimulation createApiKey createAssistant createDocument createFolder createKnowledgebase createMcpServer createSipTrunk createTool createWebhookEndpoint
    deleteTwilioAccount getTwilioAccount putTwilioAccount testTwilioAccount deleteAccount deleteApiKey deleteAssistant deleteDocument deleteFolder deleteKnowledgebase deleteInvitation deleteMcpServer deletePhoneNumber deleteSimulation deleteTool deleteWebhookEndpoint
    disableConversationEndedWebhook disableInboundWebhook disableWebhook enableConversationEndedWebhook
    enableInboundWebhook enableWebhook downloadAccountExport erasePersonalData exportAccount exportPersonalData getAccountExport getErasure getRetention getWebhookEndpointSecret getWebhookSecret inviteMember
    listAccountExports listApiKeys listAuditLog listMembers
    purchasePhoneNumber refreshMcpServer removeMember replayWebhookDelivery restoreAssistantPrompt rotateWebhookEndpointSecret rotateWebhookSecret setAssistantMcpTools testTool testWebhookEndpoint updateAssistant updateDocument updateFolder
    updateKnowledgebase updateMcpServer updateMember updatePhoneNumber updateRetention updateSettings updateSipTrunk updateSpendLimits updateTool updateWebhookEndpoint`.split(
      /\s+/,
    ),
};

/** Answer with a stream that ends late, when they answer at all. */
export const STREAMS: ReadonlySet<string> = new Set(['watchAccount']);

const NOBODY = '5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e';

/** A path of a route in which every id names nothing. */
export function pathOf(route: string): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'uuid' ? NOBODY : '1999999999'));
}
