export type EgressErrorCode =
  | 'forbidden-address'
  | 'invalid-url'
  | 'dns'
  | 'connect'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects'
  | 'protocol'
  | 'aborted';

/**
 * The only error `EgressClient` throws. `message` is plain English and names no address, so a language model or a
 * customer may see it. `cause` may name addresses and is for the operator's log only.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';

  constructor(
    readonly code: EgressErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

type Meaning = readonly [code: EgressErrorCode, message: string];

const UNREACHABLE: Meaning = ['connect', 'The connection to the server could not be established.'];
const LOST: Meaning = ['connect', 'The connection was lost before the answer was complete.'];
const CLOSED: Meaning = ['aborted', 'The request was cancelled because the service is shutting down.'];
const BAD_REQUEST: Meaning = ['protocol', 'The request cannot be sent: its method or a header is not valid.'];
const FAILED: Meaning = ['protocol', 'The exchange with the server failed.'];

const MEANING_BY_CODE: ReadonlyMap<string, Meaning> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', ['timeout', 'The server did not accept the connection in time.']],
  ['UND_ERR_HEADERS_OVERFLOW', ['too-large', 'The headers of the answer are too large.']],
  ['UND_ERR_DESTROYED', CLOSED],
  ['UND_ERR_CLOSED', CLOSED],
  ['UND_ERR_INVALID_ARG', BAD_REQUEST],
  ['UND_ERR_NOT_SUPPORTED', BAD_REQUEST],
  ['UND_ERR_SOCKET', LOST],
  ['ECONNRESET', LOST],
  ['EPIPE', LOST],
  ['ECONNREFUSED', UNREACHABLE],
  ['ECONNABORTED', UNREACHABLE],
  ['EHOSTUNREACH', UNREACHABLE],
  ['EHOSTDOWN', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  ['ENETDOWN', UNREACHABLE],
  ['ETIMEDOUT', UNREACHABLE],
  ['EADDRNOTAVAIL', UNREACHABLE],
  ['EACCES', UNREACHABLE],
  ['EPERM', UNREACHABLE],
  ['EINVAL', UNREACHABLE],
]);

const MEANING_BY_PATTERN: readonly (readonly [RegExp, Meaning])[] = [
  [/^(HPE_|UND_ERR_RES_)/, ['protocol', 'The answer of the server is not valid HTTP.']],
  [/^(Z_|ERR__ERROR_|ERR_BROTLI)/, ['protocol', 'The body of the answer could not be decompressed.']],
  [
    /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/,
    [
      'protocol',
      'A secure connection could not be established; the certificate or the TLS set-up is not valid.',
    ],
  ],
];

/** Maps an error of undici, net, tls or zlib to its meaning; an `EgressError` stays as it is. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  const [meaning, message] =
    MEANING_BY_CODE.get(code) ?? MEANING_BY_PATTERN.find(([pattern]) => pattern.test(code))?.[1] ?? FAILED;
  return new EgressError(meaning, message, { cause: error });
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
