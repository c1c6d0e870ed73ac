export const webhooksPt = {
  title: 'Webhooks',
};
