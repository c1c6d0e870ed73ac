import type { ClientOptions } from 'openai';
import type { SpeechConfig } from '../../../config/config.js';

export type OpenAiServer = SpeechConfig['openai'] & {
  /** How a server is reached whose address a customer has chosen; left out where the operator has, or it is OpenAI's own. */
  readonly guardedFetch?: NonNullable<ClientOptions['fetch']>;
};
