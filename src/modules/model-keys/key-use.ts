import {
  SPEECH_KEY_PROVIDERS,
  type SpeechKeyProvider,
} from '../../providers/speech/account-keys/account-speech-keys.js';

/** What a key is used for. */
export type KeyUse = 'chat' | SpeechUse;
export type SpeechUse = `speech-${SpeechKeyProvider}`;

export function speechUseOf(provider: SpeechKeyProvider): SpeechUse {
  return `speech-${provider}`;
}

/** Null for a key that is not for speech. */
export function speechProviderOf(service: KeyUse): SpeechKeyProvider | null {
  return SPEECH_KEY_PROVIDERS.find((provider) => speechUseOf(provider) === service) ?? null;
}
