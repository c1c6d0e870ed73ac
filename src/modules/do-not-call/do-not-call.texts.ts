import { defineTexts } from '../../i18n/define-texts.js';

export const doNotCallTexts = defineTexts({
  'do_not_call.added': {
    pt: 'Número adicionado à lista de não perturbe',
    en: 'Number added to the do-not-call list',
  },
  'do_not_call.deleted': {
    pt: 'Número removido da lista de não perturbe',
    en: 'Number removed from the do-not-call list',
  },
  'do_not_call.not_found': {
    pt: 'Número não encontrado na lista de não perturbe',
    en: 'Number not found on the do-not-call list',
  },
  'do_not_call.phone_number': {
    pt: 'O campo {field} não é um número de telefone válido.',
    en: 'The {field} is not a valid phone number.',
  },
});
