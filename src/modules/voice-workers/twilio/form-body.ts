import type { IncomingMessage } from 'node:http';

/** A callback has some dozens of short fields. */
const MAX_BYTES = 64 * 1024;
const MAX_MS = 5_000;

/**
 * The body as it came, which is what is signed; null for one that is too long.
 *
 * @throws Error when it has not arrived within 5 s; the connection is closed then
 */
export async function formOf(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return null;
  const late = setTimeout(() => request.destroy(new Error('the form did not arrive in time')), MAX_MS);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > MAX_BYTES) return null;
      parts.push(part);
    }
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(parts).toString('utf8');
}
