import { text, type TextKey } from '../../i18n/catalogue.js';
import { knowledgebasesTexts } from '../../i18n/knowledgebases.texts.js';
import type { TextParams, TextRef } from '../../i18n/text.js';

/** Why a document or a part of it could not be read, for the person who added it. */
export type FailureKey = Extract<TextKey, `ingestion.${string}`>;

export type Failure = TextRef<FailureKey>;

const PREFIX = 'ingestion.';

/** What programs tell failures by: the key of the text without its area. */
export const FAILURE_CODES: readonly string[] = Object.keys(knowledgebasesTexts)
  .filter((key) => key.startsWith(PREFIX))
  .map((key) => key.slice(PREFIX.length));

export function codeOf({ key }: Failure): string {
  return key.slice(PREFIX.length);
}

/** The number that the text of a failure names, if there is one; none names two. */
export function valueOf({ params = {} }: Failure): number | null {
  const [value] = Object.values(params);
  return typeof value === 'number' ? value : null;
}

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
