export const emailsTexts = {
  'emails.not_configured': {
    pt: 'Este servidor não envia e-mails. Peça um link de senha a um proprietário da conta ou ao administrador do servidor.',
    en: 'This server sends no e-mails. Ask an owner of the account or the operator of the server for a password link.',
  },
  'emails.password_requested': {
    pt: 'Se este e-mail tiver acesso, um link para criar uma nova senha chegará em instantes',
    en: 'If this e-mail has access, a link to set a new password will arrive shortly',
  },
  'emails.invitation_subject': { pt: 'Convite para a conta {account}', en: 'Invitation to {account}' },
  'emails.invitation_subject_unnamed': {
    pt: 'Convite para uma conta no Prosa',
    en: 'Invitation to an account on Prosa',
  },
  'emails.invitation': {
    pt: 'Você recebeu um convite para trabalhar na conta {account} no Prosa.',
    en: 'You have been invited to work in the account {account} on Prosa.',
  },
  'emails.invitation_unnamed': {
    pt: 'Você recebeu um convite para trabalhar em uma conta no Prosa.',
    en: 'You have been invited to work in an account on Prosa.',
  },
  'emails.invitation_use': {
    pt: 'Para aceitar, abra o link, informe seu nome e escolha uma senha. O link vale por 7 dias e funciona uma única vez.',
    en: 'To accept, open the link, enter your name and choose a password. The link is valid for 7 days and works once.',
  },
  'emails.invitation_action': { pt: 'Aceitar o convite', en: 'Accept the invitation' },
  'emails.invitation_footer': {
    pt: 'Se você não esperava este convite, ignore este e-mail.',
    en: 'If you did not expect this invitation, ignore this e-mail.',
  },
  'emails.password_subject': { pt: 'Crie uma nova senha no Prosa', en: 'Set a new password on Prosa' },
  'emails.password_from_owner': {
    pt: 'Um proprietário da sua conta criou um link para você definir uma nova senha.',
    en: 'An owner of your account created a link for you to set a new password.',
  },
  'emails.password_use_day': {
    pt: 'O link vale por 24 horas e funciona uma única vez. Ao usá-lo, suas outras sessões são encerradas.',
    en: 'The link is valid for 24 hours and works once. Your other sessions end when you use it.',
  },
  'emails.password_requested_for': {
    pt: 'Recebemos um pedido para definir uma nova senha para este e-mail.',
    en: 'We received a request to set a new password for this e-mail.',
  },
  'emails.password_use_hour': {
    pt: 'O link vale por 1 hora e funciona uma única vez. Ao usá-lo, suas outras sessões são encerradas.',
    en: 'The link is valid for 1 hour and works once. Your other sessions end when you use it.',
  },
  'emails.password_action': { pt: 'Criar uma nova senha', en: 'Set a new password' },
  'emails.password_footer': {
    pt: 'Se você não fez este pedido, ignore este e-mail. Sua senha continua a mesma.',
    en: 'If you did not ask for this, ignore this e-mail. Your password stays the same.',
  },
  'emails.alert_subject': {
    pt: 'Visitantes foram recusados por um limite',
    en: 'Visitors were turned away by a limit',
  },
  'emails.alert_assistant': {
    pt: 'O assistente {assistant} atingiu um limite, e visitantes foram recusados: {limit}.',
    en: 'The assistant {assistant} reached a limit, and visitors were turned away: {limit}.',
  },
  'emails.alert_account': {
    pt: 'A conta atingiu um limite, e visitantes foram recusados: {limit}.',
    en: 'The account reached a limit, and visitors were turned away: {limit}.',
  },
  'emails.alert_resets': {
    pt: 'Novos visitantes voltam a ser atendidos a partir de {time}.',
    en: 'New visitors are served again from {time}.',
  },
  'emails.alert_action': { pt: 'Abrir o Prosa', en: 'Open Prosa' },
  'emails.alert_footer': {
    pt: 'Você recebe este e-mail porque é proprietário da conta. Cada limite gera no máximo um e-mail por dia.',
    en: 'You get this e-mail because you are an owner of the account. Each limit causes at most one e-mail a day.',
  },
  'emails.limit_conversations_per_address_per_hour': {
    pt: 'conversas por hora por endereço IP',
    en: 'conversations per hour per IP address',
  },
  'emails.limit_conversations_per_hour': { pt: 'conversas por hora', en: 'conversations per hour' },
  'emails.limit_messages_per_hour': { pt: 'mensagens por hora', en: 'messages per hour' },
  'emails.limit_daily_spend_per_assistant': {
    pt: 'gasto diário do assistente',
    en: 'daily spend of the assistant',
  },
  'emails.limit_daily_spend_per_account': { pt: 'gasto diário da conta', en: 'daily spend of the account' },
} as const;
