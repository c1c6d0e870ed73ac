export const analyticsTexts = {
  'analytics.order': {
    pt: 'O campo {field} não pode ser depois de to.',
    en: 'The {field} field must not be after to.',
  },
  'analytics.range': {
    pt: 'O período pode ter no máximo {max} dias.',
    en: 'The range may be of {max} days at most.',
  },
} as const;
