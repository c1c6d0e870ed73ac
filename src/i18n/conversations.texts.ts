/** The texts of `/conversations` are English by contract; the Portuguese ones serve `/automate` and `/user`. */
export const conversationsTexts = {
  'conversations.not_found': { pt: 'Conversa não encontrada', en: 'Conversation not found' },
  'conversations.assistant_not_found': { pt: 'Assistente não encontrado', en: 'Assistant not found' },
  'conversations.ended': { pt: 'A conversa foi encerrada', en: 'Conversation has ended' },
  'conversations.test_messages': {
    pt: 'Sua conta já enviou {max} {max:mensagem|mensagens} de teste hoje (UTC), o limite diário. Tente novamente amanhã.',
    en: 'Your account has sent {max} test {max:message|messages} today (UTC), the daily limit. Try again tomorrow.',
  },
  'conversations.test_tokens': {
    pt: 'As conversas de teste da sua conta já usaram {max} tokens hoje (UTC), o limite diário. Tente novamente amanhã.',
    en: 'The test conversations of your account have used {max} tokens today (UTC), the daily limit. Try again tomorrow.',
  },
  'conversations.message_sent': { pt: 'Mensagem enviada com sucesso', en: 'Message sent' },
  'conversations.opened': { pt: 'Conversa de teste criada com sucesso', en: 'Test conversation created' },
  'conversations.taken_over': {
    pt: 'Agora você atende esta conversa',
    en: 'You are now handling this conversation',
  },
  'conversations.handed_back': {
    pt: 'A IA atende esta conversa de novo',
    en: 'The AI is handling this conversation again',
  },
  'conversations.closed': { pt: 'Conversa encerrada com sucesso', en: 'Conversation ended' },
  'conversations.reopened': { pt: 'Conversa reaberta com sucesso', en: 'Conversation reopened' },
  'conversations.marked_read': { pt: 'Conversa marcada como lida', en: 'Conversation marked as read' },
  'conversations.marked_unread': {
    pt: 'Conversa marcada como não lida',
    en: 'Conversation marked as unread',
  },
  'conversations.assigned': {
    pt: 'Responsável pela conversa atualizado',
    en: 'Assignee of the conversation changed',
  },
  'conversation_tags.updated': { pt: 'Tags atualizadas com sucesso', en: 'Tags updated' },
  'conversations.typing_shown': {
    pt: 'O cliente vê que você está digitando',
    en: 'The customer can see that you are typing',
  },
  'conversations.failed_timeout': {
    pt: 'Falha ao processar a mensagem: o modelo demorou demais',
    en: 'Failed to process message: the model took too long',
  },
  'conversations.failed_rate_limited': {
    pt: 'Falha ao processar a mensagem: o modelo está sobrecarregado',
    en: 'Failed to process message: the model is busy, try again shortly',
  },
  'conversations.failed_unavailable': {
    pt: 'Falha ao processar a mensagem: o modelo está indisponível',
    en: 'Failed to process message: the model is unavailable',
  },
  'conversations.failed_unauthorized': {
    pt: 'Falha ao processar a mensagem: o modelo recusou a chave de acesso da plataforma',
    en: "Failed to process message: the model refused the platform's credentials",
  },
  'conversations.failed_rejected': {
    pt: 'Falha ao processar a mensagem: o modelo recusou a requisição',
    en: 'Failed to process message: the model rejected the request',
  },
  'conversations.failed_incomplete': {
    pt: 'Falha ao processar a mensagem: a resposta do modelo veio incompleta',
    en: "Failed to process message: the model's answer was incomplete",
  },
  'conversations.failed_no_model': {
    pt: 'Falha ao processar a mensagem: o modelo do assistente não é mais oferecido',
    en: "Failed to process message: the assistant's model is no longer offered",
  },
  'conversations.failed_lost': {
    pt: 'Falha ao processar a mensagem: o processamento foi interrompido',
    en: 'Failed to process message: processing was interrupted',
  },
  'conversations.failed_internal': {
    pt: 'Falha ao processar a mensagem: erro interno',
    en: 'Failed to process message: internal error',
  },
} as const;
