import { text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams, TextRef } from '../../i18n/text.js';

/** Why a document or a part of it could not be read, for the person who added it. */
export type FailureKey = Extract<TextKey, `ingestion.${string}`>;

export type Failure = TextRef<FailureKey>;

export function failure(key: FailureKey, params?: TextParams): Failure {
  return text(key, params) as Failure;
}

/** Reading cannot succeed however often it is tried; anything else thrown is a fault, worth another try. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';

  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.key, options);
  }
}
