import { text, type TextKey } from '../../i18n/catalogue.js';
import type { TextRef } from '../../i18n/text.js';

/**
 * The meaning of an error. The filter alone turns a kind into a status.
 *
 * - 400: malformed, refused; 401: unauthorized; 402: payment-required; 403: forbidden; 404: not-found
 * - 406: not-acceptable; 408: timeout; 409: conflict; 413: too-large; 415: unsupported-media
 * - 416: no-such-part; 422: invalid, limit; 429: too-many; 503: unavailable
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

export interface DomainErrorClass<Kind extends ErrorKind> {
  new (options?: ErrorOptions): DomainError & { readonly kind: Kind };
  /** Throws the error, for expressions: `(await this.tools.find(userId, id)) ?? ToolNotFoundError.throw()`. */
  throw(this: new () => DomainError): never;
}

/**
 * Makes the base class of an error whose text never changes:
 * `class NumberInUseError extends domainError('refused', 'phone_numbers.in_use') {}`.
 */
export function domainError<Kind extends ErrorKind>(kind: Kind, key: TextKey): DomainErrorClass<Kind> {
  return class extends DomainError {
    static throw(this: new () => DomainError): never {
      throw new this();
    }

    readonly kind = kind;

    constructor(options?: ErrorOptions) {
      super(text(key), options);
    }
  };
}

/** The same for an error that names a limit: its text has the parameter `limit`. */
export function limitError<Kind extends ErrorKind>(
  kind: Kind,
  key: TextKey,
): new (limit: number) => DomainError & { readonly kind: Kind } {
  return class extends DomainError {
    readonly kind = kind;

    constructor(limit: number) {
      super(text(key, { limit }));
    }
  };
}
