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
    pt: 'A definição da ferramenta mudou. Revise-a antes de permitir',
    en: "The tool's definition has changed. Review it before you allow it",
  },
  'mcp_servers.refresh_failed': {
    pt: 'Não foi possível carregar as ferramentas do servidor MCP: {reason}',
    en: "Could not load the MCP server's tools: {reason}",
  },
  'mcp_servers.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:servidor MCP|servidores MCP} do seu plano',
    en: "Your plan's limit of {limit} {limit:MCP server|MCP servers} has been reached",
  },
  'mcp_servers.name_format': {
    pt: 'O campo {field} deve ter apenas letras minúsculas, dígitos e sublinhados e começar com uma letra.',
    en: 'The {field} field must have only lowercase letters, digits and underscores and start with a letter.',
  },
  'mcp_servers.name_taken': {
    pt: 'Já existe um servidor MCP com o nome {name}.',
    en: 'An MCP server named {name} already exists.',
  },
  'mcp_servers.masked_header': {
    pt: 'O campo {field} está mascarado e não corresponde ao valor salvo para esta URL. Envie o valor completo.',
    en: 'The {field} field is masked and does not match the value stored for this URL. Send the full value.',
  },
} as const;
