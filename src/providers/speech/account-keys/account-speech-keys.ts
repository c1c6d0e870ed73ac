/** Providers of speech for which an account may bring a key, in the order in which they stand in for one another. */
export const SPEECH_KEY_PROVIDERS = [
  'deepgram',
  'elevenlabs',
  'openai',
  'google',
  'xai',
  'azure',
  'cartesia',
] as const;
export type SpeechKeyProvider = (typeof SPEECH_KEY_PROVIDERS)[number];

/** Where a provider is, and what it is asked with. */
export interface SpeechKeyServer {
  readonly provider: SpeechKeyProvider;
  readonly apiKey: string;
  /** Of a server that speaks as OpenAI does, up to and with the version; a customer has chosen it. Null: the provider's own. */
  readonly baseUrl: string | null;
  /** Of azure, whose keys are valid in one region each; null for all others. */
  readonly region: string | null;
}

/** The key that an account has brought for a provider of speech. */
export interface AccountSpeechKey extends Omit<SpeechKeyServer, 'apiKey'> {
  readonly userId: number;
  /** Another one whenever anything of it is changed. */
  readonly version: string;
  /** Null where it was sealed with a key that this installation does not have. */
  readonly apiKey: string | null;
  /** What the server calls its models; null: as OpenAI does. */
  readonly recognizerModel: string | null;
  readonly synthesizerModel: string | null;
  /** Whether the provider has refused it, as far as is known. */
  readonly isRefused: boolean;
}

/** Where the keys are kept that accounts have brought. */
export interface AccountSpeechKeys {
  /** Empty for an account without any. */
  findSpeechKeys(userId: number): Promise<readonly AccountSpeechKey[]>;

  /** Records a changed result of a key's check. Never fails, and the caller does not wait for it. */
  speechKeyTurnedOut(
    key: Pick<AccountSpeechKey, 'userId' | 'provider' | 'version'>,
    how: 'refused' | 'accepted',
  ): void;
}
