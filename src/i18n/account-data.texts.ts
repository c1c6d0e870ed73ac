export const accountDataTexts = {
  'account_data.deleting': {
    pt: 'Exclusão da conta iniciada',
    en: 'Deletion of the account has begun',
  },
  'account_data.other_email': {
    pt: 'O campo {field} não é o e-mail desta conta.',
    en: 'The {field} is not the e-mail of this account.',
  },
} as const;
