export const webhooksTexts = {
  'webhooks.not_found': {
    pt: 'Entrega de webhook não encontrada',
    en: 'Webhook delivery not found',
  },
  'webhooks.replayed': {
    pt: 'A entrega do webhook será refeita',
    en: 'The webhook will be delivered again',
  },
  'webhooks.secret_rotated': {
    pt: 'Segredo dos webhooks renovado com sucesso',
    en: 'Webhook secret rotated',
  },
  'webhooks.endpoint_created': {
    pt: 'Endpoint de webhook criado com sucesso',
    en: 'Webhook endpoint created',
  },
  'webhooks.endpoint_updated': {
    pt: 'Endpoint de webhook atualizado com sucesso',
    en: 'Webhook endpoint updated',
  },
  'webhooks.endpoint_deleted': {
    pt: 'Endpoint de webhook excluído com sucesso',
    en: 'Webhook endpoint deleted',
  },
  'webhooks.endpoint_tested': {
    pt: 'O evento de teste será enviado',
    en: 'The test event will be sent',
  },
  'webhooks.endpoint_not_found': {
    pt: 'Endpoint de webhook não encontrado',
    en: 'Webhook endpoint not found',
  },
  'webhooks.endpoint_limit': {
    pt: 'O limite de {limit} {limit:endpoint|endpoints} de webhook da conta foi atingido. Exclua um para adicionar outro.',
    en: "The account's limit of {limit} webhook {limit:endpoint|endpoints} has been reached. Delete one to add another.",
  },
} as const;
