/** An answer of the API that is no success, or none at all. */
export class ApiError extends Error {
  constructor(
    /** HTTP status; 0 where no answer came. */
    readonly status: number,
    /** For people, as the server said it, in the language of the page; empty where it said nothing. */
    readonly text: string,
    /** What is wrong with each field; nested ones as `schema.0.name`. */
    readonly fields: Readonly<Record<string, readonly string[]>>,
    /** By which the operator finds it in the log. */
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

/** Whatever the client throws, as one class. */
export function toApiError(thrown: unknown, response: Response | undefined): unknown {
  // A request that was given up is no failure.
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return thrown;
  const body: ErrorBody = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const said = [body.message, body.error].find((text) => typeof text === 'string');
  return new ApiError(
    response?.status ?? 0,
    response && typeof said === 'string' ? said : '',
    isFields(body.errors) ? body.errors : {},
    response?.headers.get('X-Request-Id') ?? null,
  );
}

function isFields(value: unknown): value is Record<string, readonly string[]> {
  return typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray);
}
