export const mcpServersTexts = {
  'mcp_servers.created': { pt: 'Servidor MCP criado com sucesso', en: 'MCP server created' },
  'mcp_servers.updated': { pt: 'Servidor MCP atualizado com sucesso', en: 'MCP server updated' },
  'mcp_servers.deleted': { pt: 'Servidor MCP excluído com sucesso', en: 'MCP server deleted' },
  'mcp_servers.refreshed': {
    pt: 'Ferramentas do servidor MCP atualizadas',
    en: 'Tools of the MCP server refreshed',
  },
  'mcp_servers.not_found': { pt: 'Servidor MCP não encontrado', en: 'MCP server not found' },
  'mcp_servers.tool_not_found': { pt: 'Ferramenta MCP não encontrada', en: 'MCP tool not found' },
  'mcp_servers.tool_updated': { pt: 'Ferramenta MCP atualizada com sucesso', en: 'MCP tool updated' },
  'mcp_servers.tool_changed': {
    pt: 'A definição da ferramenta mudou. Leia-a novamente antes de permitir',
    en: 'The definition of the tool has changed. Read it again before you allow it',
  },
  'mcp_servers.refresh_failed': {
    pt: 'O servidor MCP não respondeu com as suas ferramentas: {reason}',
    en: 'The MCP server did not answer with its tools: {reason}',
  },
  'mcp_servers.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:servidor MCP|servidores MCP} do seu plano',
    en: 'You have reached the limit of {limit} {limit:MCP server|MCP servers} of your plan',
  },
  'mcp_servers.name_format': {
    pt: 'O campo {field} deve ter apenas letras minúsculas, dígitos e sublinhados e começar com uma letra.',
    en: 'The {field} field must have only lowercase letters, digits and underscores and start with a letter.',
  },
  'mcp_servers.name_taken': {
    pt: 'Já existe um servidor MCP com o nome {name}.',
    en: 'There is already an MCP server named {name}.',
  },
  'mcp_servers.masked_header': {
    pt: 'O campo {field} está mascarado e não corresponde a nenhum valor guardado para este endereço. Envie o valor completo.',
    en: 'The {field} field is masked and matches no value stored for this address. Send the whole value.',
  },
} as const;
