import { defineTexts } from '../../i18n/define-texts.js';

export const voiceSamplesTexts = defineTexts({
  'voice_samples.not_found': { pt: 'Voz não encontrada', en: 'Voice not found' },
  'voice_samples.no_key': {
    pt: 'Falta a chave do provedor desta voz. Adicione a chave para ouvir a voz',
    en: 'There is no key for the provider of this voice. Add a key to hear the voice',
  },
  'voice_samples.no_adapter': {
    pt: 'Esta versão ainda não é compatível com o provedor desta voz',
    en: 'This version does not support the provider of this voice',
  },
  'voice_samples.only_in_calls': {
    pt: 'Esta voz só fala em ligações, pelo próprio modelo. Faça uma ligação de teste para ouvir',
    en: 'This voice speaks only in calls, through its model. Make a test call to hear it',
  },
  'voice_samples.not_spoken': {
    pt: 'O provedor desta voz não respondeu. Tente novamente em instantes',
    en: 'The provider of this voice did not answer. Try again in a moment',
  },
  'voice_samples.no_process': {
    pt: 'Nenhum processo de voz está disponível no momento. Tente novamente em instantes',
    en: 'No voice process is available right now. Try again in a moment',
  },
});
