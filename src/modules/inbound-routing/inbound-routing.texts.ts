import { defineTexts } from '../../i18n/define-texts.js';

export const inboundRoutingTexts = defineTexts({
  'number_routings.updated': { pt: 'Roteamento do número atualizado', en: 'Number routing updated' },
  'number_routings.caller_id': {
    pt: 'Este número só identifica chamadas: ele não recebe ligações e não tem roteamento',
    en: 'This number is only shown to the people you call: it receives no calls and has no routing',
  },
  'number_routings.forward_format': {
    pt: 'O campo {field} deve ser um telefone com código do país, como +551130000009.',
    en: 'The {field} field must be a phone number with its country code, such as +551130000009.',
  },
  'number_routings.forward_country': {
    pt: 'O campo {field} tem um número de um país para o qual as chamadas não podem ser encaminhadas.',
    en: 'The {field} field has a number of a country to which calls may not be forwarded.',
  },
  'number_routings.forward_type': {
    pt: 'O campo {field} deve ser um telefone fixo, celular ou gratuito, e não um número de tarifa especial.',
    en: 'The {field} field must be a landline, mobile or toll-free number, not one with a special rate.',
  },
  'number_routings.forward_own': {
    pt: 'O campo {field} não pode ser um número da sua própria conta.',
    en: 'The {field} field must not be a number of your own account.',
  },
  'number_routings.from_format': {
    pt: 'O campo {field} deve ser um horário de 00:00 a 23:59, no formato HH:MM.',
    en: 'The {field} field must be a time from 00:00 to 23:59, in the form HH:MM.',
  },
  'number_routings.to_format': {
    pt: 'O campo {field} deve ser um horário de 00:00 a 24:00, no formato HH:MM.',
    en: 'The {field} field must be a time from 00:00 to 24:00, in the form HH:MM.',
  },
  'number_routings.to_equal': {
    pt: 'O campo {field} não pode ser igual ao início. Para o dia inteiro, use 00:00 e 24:00.',
    en: 'The {field} field must differ from the start. For the whole day, use 00:00 and 24:00.',
  },
});
