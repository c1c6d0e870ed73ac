/** A failed request: an error answer of the API, or no answer. */
export class ApiError extends Error {
  constructor(
    /** HTTP status; 0 where no answer came. */
    readonly status: number,
    /** Why the server refused, for people, in the language of the page; empty where it said nothing. */
    readonly text: string,
    /** What is wrong with each field; nested ones as `schema.0.name`. */
    readonly fields: Readonly<Record<string, readonly string[]>>,
    /** Id of the request in the server's log. */
    readonly requestId: string | null,
  ) {
    super(text || `status ${status}`);
  }
}

interface ErrorBody {
  readonly message?: unknown;
  readonly error?: unknown;
  readonly errors?: unknown;
}

/**
 * Turns what the client throws into one class.
 *
 * @param reason in the language of the page; without one the words of the answer stay
 */
export function toApiError(thrown: unknown, response: Response | undefined, reason: string): unknown {
  // An aborted request is not a failure.
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return thrown;
  const body: ErrorBody = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const said = [body.message, body.error].find((text) => typeof text === 'string');
  const fields = isFields(body.errors) ? body.errors : {};
  const words = response && typeof said === 'string' ? said : '';
  return new ApiError(
    response?.status ?? 0,
    // The words of the answer also count the fields that are wrong.
    Object.keys(fields).length > 0 ? words : reason || words,
    fields,
    response?.headers.get('X-Request-Id') ?? null,
  );
}

function isFields(value: unknown): value is Record<string, readonly string[]> {
  return typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray);
}
