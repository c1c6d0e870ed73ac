export type ModelErrorCode =
  | 'timeout'
  | 'rate-limited'
  | 'unavailable'
  | 'rejected'
  | 'unauthorized'
  | 'truncated'
  | 'malformed'
  | 'aborted';

interface ErrorMeaning {
  readonly message: string;
  readonly retryable: boolean;
}

const MEANINGS: Readonly<Record<ModelErrorCode, ErrorMeaning>> = {
  timeout: { message: 'The model took too long to answer.', retryable: true },
  'rate-limited': { message: 'The model provider is limiting requests.', retryable: true },
  unavailable: { message: 'The model provider is unavailable.', retryable: true },
  rejected: { message: 'The model provider refused the request.', retryable: false },
  unauthorized: { message: 'The model provider did not accept the credentials.', retryable: false },
  truncated: { message: "The model's answer broke off.", retryable: true },
  malformed: { message: "The model's answer could not be read.", retryable: true },
  aborted: { message: 'The request to the model was cancelled.', retryable: false },
};

/**
 * Why a model gave no (whole) answer.
 *
 * The message comes from a fixed list, so it may be shown to a customer. What the provider said,
 * which can hold URLs, keys or the prompt, is only in `cause`.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Whether the same request may succeed later, or with another provider. */
  readonly retryable: boolean;
  /** The wait the provider asked for; null when it named none. */
  readonly retryAfterMs: number | null;
  /** The request does not fit into the context of the model, and nothing more of its history can be left out. */
  readonly isTooLong: boolean;

  constructor(
    readonly code: ModelErrorCode,
    options: { cause?: unknown; retryAfterMs?: number | null; isTooLong?: boolean } = {},
  ) {
    const meaning = MEANINGS[code];
    super(meaning.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = meaning.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.isTooLong = options.isTooLong ?? false;
  }
}
