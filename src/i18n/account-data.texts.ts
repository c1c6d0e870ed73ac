export const accountDataTexts = {
  'account_data.deleting': {
    pt: 'Exclusão da conta iniciada',
    en: 'Deletion of the account has begun',
  },
  'account_data.other_email': {
    pt: 'O campo {field} não é o e-mail desta conta.',
    en: 'The {field} is not the e-mail of this account.',
  },
  'account_data.exporting': {
    pt: 'Exportação da conta iniciada',
    en: 'Export of the account has begun',
  },
  'account_data.export_not_found': {
    pt: 'Exportação da conta não encontrada',
    en: 'Account export not found',
  },
  'account_data.export_not_ready': {
    pt: 'Esta exportação da conta não está pronta.',
    en: 'This account export is not ready.',
  },
} as const;
