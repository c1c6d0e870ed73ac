import { defineTexts } from '../../i18n/define-texts.js';

export const modelKeyText = defineTexts({
  'model_keys.stored': { pt: 'Chave salva com sucesso', en: 'Key stored' },
  'model_keys.deleted': { pt: 'Chave removida com sucesso', en: 'Key removed' },
  'model_keys.tested': { pt: 'Chave verificada', en: 'Key tested' },
  'model_keys.not_found': { pt: 'Nenhuma chave foi cadastrada', en: 'No key has been stored' },
  'model_keys.refused': {
    pt: 'O servidor do modelo recusou esta chave.',
    en: 'The model server has refused this key.',
  },
  'model_keys.vendor_refused': {
    pt: 'O fornecedor recusou esta chave.',
    en: 'The vendor has refused this key.',
  },
  'model_keys.vendor_unreachable': {
    pt: 'O fornecedor não respondeu. Tente novamente em instantes.',
    en: 'The vendor did not answer. Try again in a moment.',
  },
  'model_keys.unknown_provider': {
    pt: 'Este fornecedor de voz não existe',
    en: 'There is no such provider of speech',
  },
  'model_keys.of_openai': {
    pt: 'O campo {field} só pode ser usado com o fornecedor openai.',
    en: 'The {field} field can be used with the provider openai alone.',
  },
  'model_keys.of_azure': {
    pt: 'O campo {field} só pode ser usado com o fornecedor azure.',
    en: 'The {field} field can be used with the provider azure alone.',
  },
  'model_keys.forbidden': {
    pt: 'O campo {field} aponta para um endereço local, privado ou reservado, que esta instalação não permite.',
    en: 'The {field} field points to a local, private or reserved address, which this installation does not allow.',
  },
  'model_keys.incompatible': {
    pt: 'O endereço do campo {field} não lista modelos como a API da OpenAI. Confira se ele termina com a versão, como /v1.',
    en: 'The address in the {field} field does not list models as the API of OpenAI does. Check that it ends with the version, as /v1.',
  },
  'model_keys.unreachable': {
    pt: 'O servidor do modelo não respondeu. Confira o endereço ou tente novamente em instantes.',
    en: 'The model server did not answer. Check the address, or try again in a moment.',
  },
  'model_keys.plain_address': {
    pt: 'O campo {field} não pode ter parâmetros nem âncora, só o endereço.',
    en: 'The {field} field may have no query and no fragment, only the address.',
  },
  'model_keys.new_server': {
    pt: 'Envie a chave do novo servidor: a que está salva não é enviada a outro.',
    en: 'Send the key of the new server: the stored one is not sent to another.',
  },
});
