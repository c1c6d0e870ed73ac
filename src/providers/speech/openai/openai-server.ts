import type { ClientOptions } from 'openai';
import type { SpeechConfig } from '../../../config/config.js';

/**
 * OpenAI's own server. Given explicitly with an account's key: the libraries would read one from the environment
 * instead.
 */
export const OPENAI_URL = 'https://api.openai.com/v1';

export type GuardedFetch = NonNullable<ClientOptions['fetch']>;

export type OpenAiServer = SpeechConfig['openai'] & {
  /** How a server is reached whose address a customer has chosen; left out where the operator has, or it is OpenAI's own. */
  readonly guardedFetch?: GuardedFetch;
};
