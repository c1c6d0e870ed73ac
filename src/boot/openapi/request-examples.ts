const LEAD_CHANGES = { campaign_id: 1, phone_number: '+5511987650004', variables: { nome: 'Ana' } };
const FOLDER_CHANGES = { name: 'Suporte', color: 'green' };
const LABEL_CHANGES = { name: 'Prioridade' };

/**
 * Bodies that work as they stand, by operation id, where putting the examples of all fields together would not: fields of
 * one mode, of one kind of trunk, or that are assigned automatically. Ids are 1, which a first account has.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  setAssistantMcpTools: { tool_ids: [] },
  allowMcpTool: { allowed: false },
  beginSimulation: {
    name: 'Asks what a message costs',
    runs: 3,
    customer: { type: 'script', lines: ['Quanto custa uma mensagem?'] },
    checks: [
      { type: 'says', text: '0,01 dólar' },
      { type: 'never_says', text: 'grátis' },
    ],
  },
  createMcpServer: { name: 'crm', url: 'https://mcp.example.com/mcp', timeout: 10 },
  updateMcpServer: { url: 'https://mcp.example.com/mcp', timeout: 20 },
  createAssistant: {
    name: 'Recepção',
    type: 'inbound',
    mode: 'pipeline',
    language_id: 1,
    voice_id: 1,
    llm_model_id: 1,
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá, {{nome}}! Como posso ajudar?',
    system_prompt: 'Você atende os clientes da Padaria Central.',
    variables: { nome: 'visitante' },
    tools: [{ type: 'end_call', description: 'Quando o cliente se despede' }],
    post_call_schema: [
      { name: 'vendeu', type: 'bool', description: 'Se o cliente renovou a assinatura na ligação' },
    ],
  },
  copyAssistant: { name: 'Recepção (cópia)' },
  updateAssistant: {
    name: 'Recepção',
    status: 'active',
    system_prompt: 'Você atende os clientes da Padaria Central e anota recados.',
  },
  createCampaign: campaign(),
  createCampaignAlias: campaign(),
  updateCampaign: {
    name: 'Renovações de março',
    allowed_hours_start_time: '09:00',
    allowed_hours_end_time: '18:00',
    max_retries: 2,
  },
  openWebCall: { assistant_id: '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f', variables: { nome: 'Ana' } },
  createConversation: {
    assistant_id: '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f',
    type: 'widget',
    variables: { nome: 'Ana' },
  },
  createDocument: {
    name: 'Site da empresa',
    description: 'Produtos e preços',
    type: 'website',
    url: 'https://example.com/',
    relative_links_limit: 10,
  },
  createLead: {
    campaign_id: 1,
    phone_number: '+5511987650002',
    variables: { nome: 'Ana' },
    secondary_contacts: [{ phone_number: '+5511987650003', variables: { nome: 'Bruno' } }],
  },
  updateLead: LEAD_CHANGES,
  updateLeadAlias: LEAD_CHANGES,
  patchLead: LEAD_CHANGES,
  createSipTrunk: {
    sip_trunk_type: 'extension',
    phone_number: '2000',
    nickname: 'Ramal da recepção',
    sip_username: 'prosa',
    sip_password: 'a-long-password',
    sip_address: 'sip.example.com',
    sip_calling_format: '+e164',
    inbound_authorization_type: 'auth',
    country_code: 'BR',
  },
  putSpeechModelKey: { api_key: 'sk-0123456789abcdef', base_url: 'https://speech.example.com/v1' },
  createFolderAlias: { name: 'Vendas', color: 'green' },
  updateFolder: FOLDER_CHANGES,
  updateFolderAlias: FOLDER_CHANGES,
  createLabelAlias: { name: 'Novo', color: 'green' },
  updateLabel: LABEL_CHANGES,
  updateLabelAlias: LABEL_CHANGES,
  assignConversation: { member_id: null, owner: true },
  updateSavedReply: { text: 'Olá, {{name}}! Já estou verificando.' },
  updateSipTrunk: { nickname: 'Ramal da recepção', sip_password: 'another-long-password' },
};

function campaign(): object {
  return {
    name: 'Renovações',
    assistant_id: 1,
    timezone: 'America/Sao_Paulo',
    max_calls_in_parallel: 3,
    allowed_hours_start_time: '09:00',
    allowed_hours_end_time: '18:00',
    allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    max_retries: 3,
    retry_interval: 60,
    phone_number_ids: [1],
  };
}
