import type { IncomingMessage } from 'node:http';

/** A callback has some dozens of short fields. */
const MAX_BYTES = 64 * 1024;

/** The body as it came, which is what is signed; null for one that is too long. */
export async function formOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
