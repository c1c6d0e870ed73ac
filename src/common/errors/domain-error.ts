import type { TextKey } from '../../i18n/catalogue.js';
import type { TextRef } from '../../i18n/text.js';

/**
 * What went wrong, by meaning. The filter alone turns a kind into a status:
 * malformed 400, refused 400, unauthorized 401, payment-required 402, forbidden 403, not-found 404,
 * not-acceptable 406, timeout 408, conflict 409, too-large 413, unsupported-media 415, no-such-part 416, invalid 422, limit 422, too-many 429, unavailable 503.
 */
export type ErrorKind =
  | 'malformed'
  | 'refused'
  | 'unauthorized'
  | 'payment-required'
  | 'forbidden'
  | 'not-found'
  | 'not-acceptable'
  | 'timeout'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media'
  | 'no-such-part'
  | 'invalid'
  | 'limit'
  | 'too-many'
  | 'unavailable';

/** One wrong field; `field` is a path such as `schema.0.name`. */
export interface FieldIssue {
  readonly field: string;
  readonly text: TextRef<TextKey>;
}

interface ErrorDetails extends ErrorOptions {
  /** Wrong fields, where the error is about fields. */
  readonly issues?: readonly FieldIssue[];
  /** Facts that belong into the body, where the contract names any. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An expected refusal. Modules name their own in `x.errors.ts`; none of them knows HTTP. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  readonly issues: readonly FieldIssue[];
  readonly data: Readonly<Record<string, unknown>> | undefined;
  /** When to come back, where that is known; null: to come back is of no use. */
  readonly retryAfterSeconds?: number | null;

  constructor(
    readonly text: TextRef<TextKey>,
    { issues = [], data, cause }: ErrorDetails = {},
  ) {
    super(text.key, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.issues = issues;
    this.data = data;
  }
}
