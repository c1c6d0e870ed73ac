export const accountsTexts = {
  'auth.logged_in': { pt: 'Login realizado com sucesso', en: 'Logged in' },
  'auth.logged_out': { pt: 'Sessão encerrada com sucesso', en: 'Logged out' },
  'auth.registered': { pt: 'Conta criada com sucesso', en: 'Account created' },
  'auth.bad_credentials': { pt: 'E-mail ou senha inválidos', en: 'Invalid email or password' },
  'auth.registration_closed': { pt: 'O cadastro de novas contas está fechado', en: 'Registration is closed' },
  'auth.password_sign_in_off': {
    pt: 'Neste servidor, o acesso é feito somente pelo provedor de identidade da sua empresa.',
    en: "On this server, people sign in through their organisation's identity provider only.",
  },
  'auth.oidc_no_pending_link': {
    pt: 'A confirmação não foi iniciada neste navegador ou expirou. Entre de novo pelo provedor de identidade.',
    en: 'The confirmation was not started in this browser, or has expired. Sign in through the identity provider again.',
  },
  'auth.email_taken': { pt: 'Este e-mail já está em uso.', en: 'This email is already taken.' },
  'auth.session_required': {
    pt: 'Esta chave de API não pertence a uma sessão, e não há o que encerrar',
    en: 'This API key does not belong to a session, so there is nothing to end',
  },
  'auth.session_ended': { pt: 'Sessão encerrada com sucesso', en: 'Session ended' },
  'auth.sessions_ended': {
    pt: 'Todas as outras sessões foram encerradas',
    en: 'All other sessions have been ended',
  },
  'auth.session_not_found': { pt: 'Sessão não encontrada', en: 'Session not found' },
  'auth.password_changed': { pt: 'Senha alterada com sucesso', en: 'Password changed' },
  'auth.password_reset': { pt: 'Nova senha definida com sucesso', en: 'New password set' },
  'auth.password_link_not_found': {
    pt: 'Link de senha não encontrado, já usado ou expirado',
    en: 'Password link not found, already used or expired',
  },
  'auth.wrong_password': { pt: 'A senha atual está incorreta.', en: 'The current password is incorrect.' },
  'auth.password_common': {
    pt: 'Esta senha é muito comum e fácil de adivinhar. Escolha outra.',
    en: 'This password is too common and easily guessed. Please choose another one.',
  },
  'auth.password_is_email': {
    pt: 'A senha não pode ser o seu e-mail. Escolha outra.',
    en: 'The password cannot be your email. Please choose another one.',
  },
  'account.settings_updated': { pt: 'Configurações atualizadas com sucesso', en: 'Settings updated' },
  'members.invited': { pt: 'Convite criado com sucesso', en: 'Invitation created' },
  'members.updated': { pt: 'Membro atualizado com sucesso', en: 'Member updated' },
  'members.removed': { pt: 'Membro removido com sucesso', en: 'Member removed' },
  'members.invitation_deleted': { pt: 'Convite cancelado com sucesso', en: 'Invitation cancelled' },
  'members.password_link': { pt: 'Link de senha criado com sucesso', en: 'Password link created' },
  'members.password_link_own': {
    pt: 'Links de senha são para outros membros. Para trocar a sua senha, informe a atual.',
    en: 'Password links are for other members. To change your own password, enter the current one.',
  },
  'members.availability_updated': {
    pt: 'Disponibilidade atualizada com sucesso',
    en: 'Availability updated',
  },
  'members.person_required': {
    pt: 'A disponibilidade é de uma pessoa. Entre com e-mail e senha em vez de uma chave de API.',
    en: 'Availability belongs to a person. Sign in with an email and a password instead of an API key.',
  },
  'members.not_found': { pt: 'Membro não encontrado', en: 'Member not found' },
  'members.invitation_not_found': {
    pt: 'Convite não encontrado, já usado ou expirado',
    en: 'Invitation not found, already used or expired',
  },
  'members.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:membro|membros} do seu plano',
    en: "Your plan's limit of {limit} {limit:member|members} has been reached",
  },
  'members.joined': { pt: 'Convite aceito com sucesso', en: 'Invitation accepted' },
  'api_keys.created': { pt: 'Chave de API criada com sucesso', en: 'API key created' },
  'api_keys.publishable_scopes': {
    pt: 'Chaves publicáveis não podem ter permissões. Omita o campo {field}.',
    en: "Publishable keys can't have scopes. Omit the {field} field.",
  },
  'api_keys.deleted': { pt: 'Chave de API excluída com sucesso', en: 'API key deleted' },
  'api_keys.not_found': { pt: 'Chave de API não encontrada', en: 'API key not found' },
  'api_keys.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:chave|chaves} de API do seu plano',
    en: "Your plan's limit of {limit} API {limit:key|keys} has been reached",
  },
  'billing.insufficient_balance': {
    pt: 'Saldo insuficiente. Por favor, recarregue sua conta.',
    en: 'Insufficient balance. Please top up your account.',
  },
  'billing.daily_cap': {
    pt: 'Limite diário de gastos atingido. Tente novamente amanhã.',
    en: 'Daily spending limit reached. Please try again tomorrow.',
  },
  'billing.limits_updated': {
    pt: 'Limites atualizados com sucesso',
    en: 'Limits updated',
  },
} as const;
