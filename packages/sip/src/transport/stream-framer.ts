import { SIP_LIMITS } from '../message/sip-limits.js';

const CR = 13;
const LF = 10;
const CONTENT_LENGTH = /^(?:content-length|l)[ \t]*:(.*)$/gim;
const CONTENT_TYPE = /^(?:content-type|c)[ \t]*:/im;

/** The stream cannot be cut into messages any more: only closing the connection helps. */
export class StreamFramingError extends Error {
  /**
   * @param status for the request that cannot be read
   * @param head its header fields, as far as they have come
   */
  constructor(
    reason: string,
    readonly status: number,
    readonly head: Buffer,
  ) {
    super(`The peer does not send SIP messages: ${reason}.`);
    this.name = 'StreamFramingError';
  }
}

/** Cuts a byte stream into messages by their Content-Length (RFC 3261 §18.3), holding no more than one incomplete message. */
export class StreamFramer {
  private pending: Buffer = Buffer.alloc(0);
  /** Up to where no end of the header fields was found. */
  private searched = 0;

  /** @param onPing a double line end between messages, which the peer wants answered by one (RFC 5626 §4.4.1) */
  constructor(private readonly onPing: () => void = () => {}) {}

  /** Bytes of a message that has not come in full. */
  get pendingBytes(): number {
    return this.pending.length;
  }

  /**
   * Gives the messages that are complete now, each before the next one is looked at.
   *
   * @throws StreamFramingError
   */
  *push(chunk: Buffer): Generator<Buffer, void> {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    for (let message = this.cut(); message !== null; message = this.cut()) yield message;
  }

  /** Header fields may be longer here than the parser accepts: it answers them, and the stream stays open. */
  private cut(): Buffer | null {
    this.skipLineEnds();
    const { pending } = this;
    const headerEnd = pending.indexOf('\r\n\r\n', this.searched, 'latin1');
    if (headerEnd < 0) {
      if (pending.length > SIP_LIMITS.messageBytes)
        throw new StreamFramingError('endless headers', 513, pending);
      this.searched = Math.max(0, pending.length - 3);
      return null;
    }
    const head = pending.subarray(0, headerEnd + 4);
    const length = head.length + contentLength(head);
    if (length > SIP_LIMITS.messageBytes) {
      const status = head.length > SIP_LIMITS.headerSectionBytes ? 513 : 413;
      throw new StreamFramingError('message too long', status, head);
    }
    if (pending.length < length) return null;
    this.pending = pending.subarray(length);
    this.searched = 0;
    return pending.subarray(0, length);
  }

  private skipLineEnds(): void {
    let index = 0;
    while (this.pending[index] === CR || this.pending[index] === LF) index++;
    if (index === 0) return;
    if (index >= 4) this.onPing();
    this.pending = this.pending.subarray(index);
    this.searched = 0;
  }
}

function contentLength(head: Buffer): number {
  const text = head.toString('latin1').replace(/\r\n[ \t]+/g, ' ');
  const found = new Set([...text.matchAll(CONTENT_LENGTH)].map(([, value = '']) => value.trim()));
  // Required on streams; two different ones are the way to smuggle a second message.
  if (found.size > 1) throw new StreamFramingError('more than one Content-Length', 400, head);
  if (found.size === 0 && CONTENT_TYPE.test(text))
    throw new StreamFramingError('a body without Content-Length', 400, head);
  const [value = '0'] = found;
  if (!/^\d{1,9}$/.test(value)) throw new StreamFramingError('no readable Content-Length', 400, head);
  return Number(value);
}
