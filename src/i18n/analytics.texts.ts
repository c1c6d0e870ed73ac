export const analyticsTexts = {
  'analytics.order': {
    pt: 'O campo {field} não pode ser posterior a to.',
    en: 'The {field} field must not be later than to.',
  },
  'analytics.range': {
    pt: 'O período pode ter no máximo {max} dias.',
    en: 'The range must not exceed {max} days.',
  },
} as const;
