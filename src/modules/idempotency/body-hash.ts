import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';

const hashes = new WeakMap<IncomingMessage, Buffer>();
const HASH_OF_NOTHING = createHash('sha256').digest();

/** For the body parser's `verify`: remembers the hash of the body as it was sent, of requests that name a key. */
export function rememberBodyHash(request: IncomingMessage, _response: ServerResponse, body: Buffer): void {
  if (request.headers['idempotency-key'] === undefined) return;
  hashes.set(request, createHash('sha256').update(body).digest());
}

/** A request whose form is received already, its file in a temporary place. */
type ReceivedRequest = Request & { file?: { readonly path: string } };

/**
 * SHA-256 of the body's bytes; of a form, whose bytes are others each time it is sent, of its fields and its file. A body
 * that was not read counts as none.
 */
export async function bodyHashOf(request: ReceivedRequest): Promise<Buffer> {
  if (!request.is('multipart/form-data')) return hashes.get(request) ?? HASH_OF_NOTHING;
  const hash = createHash('sha256').update(JSON.stringify(request.body ?? null));
  if (request.file) {
    for await (const chunk of createReadStream(request.file.path)) hash.update(chunk as Buffer);
  }
  return hash.digest();
}
