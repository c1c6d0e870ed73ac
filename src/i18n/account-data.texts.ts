export const accountDataTexts = {
  'account_data.deleting': {
    pt: 'Exclusão da conta iniciada',
    en: 'Account deletion started',
  },
  'account_data.other_email': {
    pt: 'O campo {field} não corresponde ao e-mail desta conta.',
    en: 'The {field} field does not match the email of this account.',
  },
  'account_data.exporting': {
    pt: 'Exportação da conta iniciada',
    en: 'Account export started',
  },
  'account_data.export_not_found': {
    pt: 'Exportação da conta não encontrada',
    en: 'Account export not found',
  },
  'account_data.export_not_ready': {
    pt: 'Esta exportação da conta ainda não está pronta. Tente novamente quando ela terminar.',
    en: 'This account export is not ready yet. Try again when it has finished.',
  },
} as const;
