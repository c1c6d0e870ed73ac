import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { render, text, type TextKey } from '../../../i18n/catalogue.js';
import { ERROR_HEADER } from '../../errors/error-header.js';

type Refusal = readonly [status: number, message: TextKey];

const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'http.request_timeout'],
  HPE_HEADER_OVERFLOW: [431, 'http.headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'http.too_large'],
};
const MALFORMED: Refusal = [400, 'http.bad_request'];

/** The answer that is under way on a connection; Node's own listener looks at it for the same reason. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Answers with `{message}` what is refused before a route is known: requests that Node cannot read, and headers that do not
 * come in time. Node itself would answer without a body. The connection closes.
 */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: ServerSocket) => {
    // Text between the parts of an answer that has begun would be read as a part of it.
    if (!socket.writable || socket._httpMessage?.headersSent) socket.destroy();
    else socket.end(refusal(...(REFUSALS[error.code ?? ''] ?? MALFORMED)), () => socket.destroy());
  });
}

function refusal(status: number, key: TextKey): string {
  const body = JSON.stringify({ message: render(text(key), 'pt') });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    `${ERROR_HEADER}: ${key}`,
    '',
    body,
  ].join('\r\n');
}
