/** What any route may answer. */
export const httpTexts = {
  'http.unauthorized': { pt: 'Não autorizado', en: 'Unauthorized' },
  'http.forbidden': { pt: 'Acesso negado', en: 'Forbidden' },
  'http.missing_scope': {
    pt: 'Acesso negado: falta a permissão {scope}',
    en: 'Access denied: the {scope} permission is missing',
  },
  'http.key_origin': {
    pt: 'Esta chave de API não pode ser usada a partir deste site',
    en: 'This API key cannot be used from this website',
  },
  'http.foreign_origin': {
    pt: 'A requisição veio de um site de outra origem',
    en: 'The request came from a website of another origin',
  },
  'http.not_found': { pt: 'Rota não encontrada', en: 'Route not found' },
  'http.malformed_json': {
    pt: 'O corpo da requisição não é um JSON válido',
    en: 'The request body is not valid JSON',
  },
  'http.body_not_object': {
    pt: 'O corpo da requisição deve ser um objeto JSON',
    en: 'The request body must be a JSON object',
  },
  'http.bad_request': { pt: 'Requisição inválida', en: 'Bad request' },
  'http.too_large': { pt: 'O corpo da requisição é grande demais', en: 'The request body is too large' },
  'http.unsupported_media_type': {
    pt: 'O cabeçalho Content-Type deve ser application/json',
    en: 'The Content-Type header must be application/json',
  },
  'http.unsupported_charset': {
    pt: 'O corpo da requisição deve estar em UTF-8',
    en: 'The request body must be in UTF-8',
  },
  'http.unsupported_encoding': {
    pt: 'O cabeçalho Content-Encoding deve ser gzip, deflate, br ou identity',
    en: 'The Content-Encoding header must be gzip, deflate, br or identity',
  },
  'http.not_acceptable': {
    pt: 'O cabeçalho Accept deve ser application/json',
    en: 'The Accept header must be application/json',
  },
  'http.events_only': {
    pt: 'O cabeçalho Accept deve ser text/event-stream',
    en: 'The Accept header must be text/event-stream',
  },
  'http.export_too_large': {
    pt: 'A exportação tem {rows} linhas, e o máximo são {max}. Use filtros, como o de datas, para reduzi-la.',
    en: 'The export has {rows} rows, and the maximum is {max}. Use filters, such as dates, to reduce it.',
  },
  'http.too_many_exports': {
    pt: 'Esta conta já tem {max} exportações em andamento. Tente de novo quando uma delas terminar.',
    en: 'This account already has {max} exports in progress. Try again when one of them has finished.',
  },
  'http.too_many_requests': {
    pt: 'Muitas requisições. Tente novamente em {seconds} {seconds:segundo|segundos}',
    en: 'Too many requests. Try again in {seconds} {seconds:second|seconds}',
  },
  'http.too_many_streams': {
    pt: 'Muitas conexões de eventos abertas ao mesmo tempo. Feche uma e tente novamente',
    en: 'Too many event streams are open at the same time. Close one and try again',
  },
  'http.body_timeout': {
    pt: 'O corpo da requisição demorou demais para chegar',
    en: 'The request body took too long to arrive',
  },
  'http.request_timeout': {
    pt: 'A requisição demorou demais para chegar',
    en: 'The request took too long to arrive',
  },
  'http.headers_too_large': {
    pt: 'Os cabeçalhos da requisição são grandes demais',
    en: 'The request headers are too large',
  },
  'http.paused': {
    pt: 'Esta instalação está pausada: não faz ligações nem contrata números. O administrador precisa retomá-la',
    en: 'This installation is paused: it places no calls and rents no numbers. Its operator has to resume it',
  },
  'http.unavailable': {
    pt: 'Serviço temporariamente indisponível. Tente novamente',
    en: 'Service temporarily unavailable. Please try again',
  },
  'http.internal': {
    pt: 'Erro interno. Informe o código {requestId} ao suporte',
    en: 'Internal error. Please report the code {requestId}',
  },
  'idempotency.invalid_key': {
    pt: 'O cabeçalho Idempotency-Key deve ter de 1 a 255 caracteres ASCII imprimíveis',
    en: 'The Idempotency-Key header must be 1 to 255 printable ASCII characters',
  },
  'idempotency.events': {
    pt: 'O cabeçalho Idempotency-Key não pode ser usado com Accept: text/event-stream',
    en: 'The Idempotency-Key header cannot be used with Accept: text/event-stream',
  },
  'idempotency.reused': {
    pt: 'Esta Idempotency-Key já foi usada com outra requisição. Envie uma nova',
    en: 'This Idempotency-Key was already used with another request. Send a new one',
  },
  'idempotency.still_running': {
    pt: 'A requisição com esta Idempotency-Key ainda está em andamento. Tente novamente',
    en: 'The request with this Idempotency-Key is still running. Please try again',
  },
  'idempotency.answer_lost': {
    pt: 'A requisição com esta Idempotency-Key foi executada, mas a resposta era grande demais para ser guardada',
    en: 'The request with this Idempotency-Key succeeded, but its response was too large to store',
  },
} as const;
