import { EgressError } from '../../../common/egress/egress-error.js';
import type { EgressStream } from '../../../common/egress/egress-client.js';
import { charsetOf, decodeText } from '../../../common/text/decode-text.js';

/**
 * The text of an answer as far as it came. An error in it (a lost connection, a time-out, wrongly compressed bytes)
 * ends the text and is no failure: the status has been received.
 *
 * @param maxBytes what comes after them is not read
 */
export async function receivedBody({ headers, body }: EgressStream, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      size += piece.length;
      if (size >= maxBytes) break;
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  }
  const bytes = Buffer.concat(pieces).subarray(0, maxBytes);
  return decodeText(bytes, { charset: charsetOf(headers['content-type']), isCut: true });
}
