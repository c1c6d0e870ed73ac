import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const hashes = new WeakMap<IncomingMessage, Buffer>();
const HASH_OF_NOTHING = createHash('sha256').digest();

/** For the body parser's `verify`: remembers the hash of the body as it was sent, of requests that name a key. */
export function rememberBodyHash(request: IncomingMessage, _response: ServerResponse, body: Buffer): void {
  if (request.headers['idempotency-key'] === undefined) return;
  hashes.set(request, createHash('sha256').update(body).digest());
}

/** SHA-256 of the body's bytes; a body that was not read counts as none. */
export function bodyHashOf(request: IncomingMessage): Buffer {
  return hashes.get(request) ?? HASH_OF_NOTHING;
}
