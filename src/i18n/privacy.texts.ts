export const privacyTexts = {
  'privacy.erasing': {
    pt: 'Exclusão dos dados iniciada',
    en: 'Data erasure started',
  },
  'privacy.erasure_not_found': {
    pt: 'Exclusão de dados não encontrada',
    en: 'Erasure not found',
  },
  'privacy.retention_updated': {
    pt: 'Prazos de retenção atualizados',
    en: 'Retention updated',
  },
  'privacy.phone_number': {
    pt: 'O campo {field} não é um número de telefone válido.',
    en: 'The {field} field is not a valid phone number.',
  },
  'privacy.own_number': {
    pt: 'Este é um número da sua própria conta. Exclua o número em vez dos dados.',
    en: 'This is one of your own numbers. Delete the number instead.',
  },
  'privacy.too_many_exports': {
    pt: 'Sua conta já tem {max} exportações em andamento. Tente novamente em instantes.',
    en: 'Your account already has {max} exports in progress. Try again in a moment.',
  },
} as const;
