import type { ErrorKind } from './domain-error.js';

export const STATUS_OF: Readonly<Record<ErrorKind, number>> = {
  malformed: 400,
  refused: 400,
  unauthorized: 401,
  'payment-required': 402,
  forbidden: 403,
  'not-found': 404,
  'not-acceptable': 406,
  timeout: 408,
  conflict: 409,
  'too-large': 413,
  'unsupported-media': 415,
  'no-such-part': 416,
  invalid: 422,
  limit: 422,
  'too-many': 429,
  unavailable: 503,
};

/** Kinds that share their status with a more general one. */
const SPECIAL: ReadonlySet<ErrorKind> = new Set(['malformed', 'limit']);

/** The kind whose error body a status has; undefined for a status that the product itself does not answer. */
export const KIND_OF_STATUS: ReadonlyMap<number, ErrorKind> = new Map(
  (Object.entries(STATUS_OF) as [ErrorKind, number][]).flatMap(([kind, status]) =>
    SPECIAL.has(kind) ? [] : [[status, kind]],
  ),
);
