import { fillSpoken } from '../../runtime/spoken-text.js';
import { withOwnersValues } from '../../runtime/visitor-values.js';
import type { LookupResult } from './lookup.js';

/** What is known of a caller. */
export interface CallerProfile {
  /** Those that were known before, under those of the lookup. */
  readonly variables: Record<string, unknown>;
  /** Names that the lookup has given values; null: none. */
  readonly lookupVariables: readonly string[] | null;
  /** In place of the assistant's own; null: that one. */
  readonly initialMessage: string | null;
  /** Null where the assistant or number has no lookup. */
  readonly lookup: LookupResult | null;
}

/** A visitor's values may not make a greeting that is spoken for long. */
const MAX_GREETING = 16_384;

/** @param known variables that are known without the lookup */
export function profileFrom(
  lookup: LookupResult | null,
  known: Readonly<Record<string, unknown>>,
): CallerProfile {
  const given = lookup?.answer?.variables ?? {};
  const variables = withOwnersValues(known, given);
  const names = Object.keys(given);
  const initialMessage = lookup?.answer?.initialMessage ?? null;
  const isTooLong = initialMessage !== null && fillSpoken(initialMessage, variables).length > MAX_GREETING;
  return {
    variables,
    lookupVariables: names.length > 0 ? names : null,
    initialMessage: isTooLong ? null : initialMessage,
    lookup,
  };
}
