export const toolsTexts = {
  'tools.created': { pt: 'Ferramenta criada com sucesso', en: 'Tool created' },
  'tools.updated': { pt: 'Ferramenta atualizada com sucesso', en: 'Tool updated' },
  'tools.deleted': { pt: 'Ferramenta excluída com sucesso', en: 'Tool deleted' },
  // English in every language: the customer's document fixes this text.
  'tools.not_found': {
    pt: 'Tool not found',
    en: 'Tool not found',
    pages: { pt: 'Ferramenta não encontrada', en: 'Tool not found' },
  },
  'tools.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:ferramenta|ferramentas} do seu plano',
    en: "Your plan's limit of {limit} {limit:tool|tools} has been reached",
  },
  'tools.too_many_tests': {
    pt: 'Há testes demais em andamento. Tente novamente quando um deles terminar.',
    en: 'Too many tests are running. Try again when one of them has finished.',
  },
  'tools.name_format': {
    pt: 'O campo {field} deve ter apenas letras minúsculas e sublinhados e começar com uma letra.',
    en: 'The {field} field must have only lowercase letters and underscores and start with a letter.',
  },
  'tools.parameter_name_format': {
    pt: 'O campo {field} deve ter apenas letras e sublinhados e começar com uma letra.',
    en: 'The {field} field must have only letters and underscores and start with a letter.',
  },
  'tools.duplicate_parameter': {
    pt: 'O campo {field} repete o nome de outro parâmetro.',
    en: 'The {field} field repeats the name of another parameter.',
  },
  'tools.name_taken': {
    pt: 'O campo {field} não pode ser {name}: um assistente com esta ferramenta já tem outra com este nome.',
    en: 'The {field} field cannot be {name}: an assistant with this tool already has another tool of that name.',
  },
  'tools.name_built_in': {
    pt: 'O campo {field} não pode ser {name} enquanto a ferramenta estiver em um assistente: é o nome de uma ferramenta interna.',
    en: 'The {field} field cannot be {name} while the tool is on an assistant: it is the name of a built-in tool.',
  },
  'tools.header_name': {
    pt: 'O campo {field} não é um nome de cabeçalho HTTP válido.',
    en: 'The {field} field is not a valid HTTP header name.',
  },
  'tools.placeholder_place': {
    pt: 'O campo {field} só pode ter marcadores no caminho e na consulta, nunca no protocolo, no host ou na porta.',
    en: 'The {field} field may have placeholders only in path and query, never in scheme, host or port.',
  },
} as const;
