import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { charsetOf, decodeText } from '../text/decode-text.js';
import { EgressError } from './egress-error.js';

export interface BodyLimit {
  /** Counted after decompression. */
  maxBytes: number;
  whenTooLarge: 'truncate' | 'fail';
}

export interface BoundedBody {
  bytes: Buffer;
  truncated: boolean;
}

/** More layers than any honest server uses; each costs memory and is a way to nest a bomb. */
const MAX_CODINGS = 3;

/** A compressed stream without its proper end is taken as far as it goes, as browsers do. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * Reads a response body through its content codings, never holding more than `maxBytes` and one chunk.
 * An early end of the reading, for any reason, closes `source`, and with it the connection.
 */
export async function readBounded(
  source: Readable,
  contentEncoding: string | undefined,
  limit: BodyLimit,
): Promise<BoundedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(source, contentEncoding)) {
    const room = limit.maxBytes - size;
    if (chunk.length > room) {
      if (limit.whenTooLarge === 'fail') {
        throw tooLarge(limit.maxBytes);
      }
      chunks.push(chunk.subarray(0, room));
      return { bytes: Buffer.concat(chunks), truncated: true };
    }
    chunks.push(chunk);
    size += chunk.length;
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

/** The same as it comes. @throws EgressError `too-large` when it is longer */
export async function* boundedChunks(
  source: Readable,
  contentEncoding: string | undefined,
  maxBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let size = 0;
  for await (const chunk of decoded(source, contentEncoding)) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/**
 * The body as text, in the charset that `contentType`, the document itself or its bytes name. A character cut in two by a
 * limit is left out.
 */
export function textOf({ bytes, truncated }: BoundedBody, contentType: string | undefined): string {
  return decodeText(bytes, { charset: charsetOf(contentType), isCut: truncated });
}

function tooLarge(maxBytes: number): EgressError {
  return new EgressError('too-large', `The answer is larger than ${maxBytes} bytes.`);
}

function decoded(source: Readable, contentEncoding: string | undefined): AsyncIterable<Buffer> {
  let stream = source;
  for (const decoder of decodersFor(contentEncoding)) {
    // pipeline hands an error on to `decoder`, where the reader meets it; the callback has nothing to add.
    stream = pipeline(stream, decoder, () => {});
  }
  return stream;
}

function decodersFor(contentEncoding: string | undefined): Transform[] {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  if (codings.length > MAX_CODINGS) {
    throw new EgressError('protocol', 'The body of the answer is compressed too many times.');
  }
  const decoders = codings.map(decoderFor);
  // With a coding we did not offer the bytes are handed on as they came, as fetch does.
  return decoders.every((decoder) => decoder !== null) ? decoders : [];
}

function decoderFor(coding: string): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(LENIENT);
    case 'deflate':
      return createInflate(LENIENT);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return null;
  }
}
