export const privacyTexts = {
  'privacy.erasing': {
    pt: 'Exclusão dos dados iniciada',
    en: 'Erasure of the data has begun',
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
    en: 'The {field} is not a valid phone number.',
  },
  'privacy.own_number': {
    pt: 'Este número é de uma linha da sua conta. Exclua a linha em vez dos dados.',
    en: 'This number is one of your own lines. Delete the line instead.',
  },
  'privacy.too_many_exports': {
    pt: 'Sua conta já tem {max} exportações em andamento. Tente novamente em instantes.',
    en: 'Your account already has {max} exports under way. Try again in a moment.',
  },
} as const;
