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
} as const;
