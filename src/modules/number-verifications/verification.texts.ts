import { defineTexts } from '../../i18n/define-texts.js';

export const verificationText = defineTexts({
  'verifications.requested': {
    pt: 'Vamos ligar para o número e dizer um código de seis dígitos',
    en: 'The number is being called, and a code of six digits is spoken',
  },
  'verifications.confirmed': {
    pt: 'Número de telefone verificado com sucesso',
    en: 'Phone number verified',
  },
  'verifications.cancelled': { pt: 'Verificação cancelada com sucesso', en: 'Verification cancelled' },
  'verifications.not_found': { pt: 'Verificação não encontrada', en: 'Verification not found' },
  'verifications.no_carrier': {
    pt: 'Esta instalação não tem operadora própria com que números possam ser verificados, ou a conta não aluga nenhum número dela',
    en: 'This installation has no carrier of its own to verify numbers by, or the account rents no number of it',
  },
  'verifications.caller_number': {
    pt: 'Escolha um número alugado desta instalação para fazer a ligação',
    en: 'Choose a number that is rented from this installation to call from',
  },
  'verifications.country': {
    pt: 'Números deste país não podem ser verificados',
    en: 'Numbers of this country cannot be verified',
  },
  'verifications.kind_of_number': {
    pt: 'Números deste tipo não podem ser verificados',
    en: 'Numbers of this kind cannot be verified',
  },
  'verifications.under_way': {
    pt: 'Já há uma ligação de verificação em andamento. Aguarde o fim dela',
    en: 'A verification call is under way already. Wait until it is over',
  },
  'verifications.no_code_awaited': {
    pt: 'Esta verificação não espera um código: ele ainda não foi dito, ou a verificação já terminou',
    en: 'This verification waits for no code: it has not been spoken yet, or the verification is over',
  },
  'verifications.code_expired': {
    pt: 'O código expirou. Peça uma nova verificação',
    en: 'The code has expired. Ask for another verification',
  },
  'verifications.wrong_code': {
    pt: 'Código incorreto. Tentativas restantes: {triesLeft}',
    en: 'Wrong code. Tries left: {triesLeft}',
  },
  'verifications.no_tries_left': {
    pt: 'Código incorreto. Peça uma nova verificação',
    en: 'Wrong code. Ask for another verification',
  },
  'verifications.code_format': {
    pt: 'O campo {field} deve ter seis dígitos.',
    en: 'The {field} field must have six digits.',
  },
});
