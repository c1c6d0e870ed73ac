import { SIP_LIMITS } from '../message/sip-limits.js';

const CR = 13;
const LF = 10;
const CONTENT_LENGTH = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$/gim;

/** The stream cannot be cut into messages any more: only closing the connection helps. */
export class StreamFramingError extends Error {
  constructor(reason: string) {
    super(`The peer does not send SIP messages: ${reason}.`);
    this.name = 'StreamFramingError';
  }
}

/** Cuts a byte stream into messages by their Content-Length (RFC 3261 §18.3), holding no more than one incomplete message. */
export class StreamFramer {
  private pending: Buffer = Buffer.alloc(0);

  /** @param onPing a double line end between messages, which the peer wants answered by one (RFC 5626 §4.4.1) */
  constructor(private readonly onPing: () => void = () => {}) {}

  /** Bytes of a message that has not come in full. */
  get pendingBytes(): number {
    return this.pending.length;
  }

  /**
   * @returns the messages that are complete now
   * @throws StreamFramingError
   */
  push(chunk: Buffer): Buffer[] {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    const messages: Buffer[] = [];
    for (let message = this.cut(); message !== null; message = this.cut()) messages.push(message);
    return messages;
  }

  private cut(): Buffer | null {
    this.skipLineEnds();
    const headerEnd = this.pending.indexOf('\r\n\r\n', 0, 'latin1');
    if (headerEnd < 0) {
      if (this.pending.length > SIP_LIMITS.headerSectionBytes)
        throw new StreamFramingError('endless headers');
      return null;
    }
    if (headerEnd > SIP_LIMITS.headerSectionBytes) throw new StreamFramingError('headers too long');
    const length = headerEnd + 4 + contentLength(this.pending.toString('latin1', 0, headerEnd));
    if (length > SIP_LIMITS.messageBytes) throw new StreamFramingError('message too long');
    if (this.pending.length < length) return null;
    const message = this.pending.subarray(0, length);
    this.pending = this.pending.subarray(length);
    return message;
  }

  private skipLineEnds(): void {
    let index = 0;
    while (this.pending[index] === CR || this.pending[index] === LF) index++;
    if (index === 0) return;
    if (index >= 4) this.onPing();
    this.pending = this.pending.subarray(index);
  }
}

function contentLength(headers: string): number {
  const found = new Set([...headers.matchAll(CONTENT_LENGTH)].map((match) => Number(match[1])));
  // Required on streams; two different ones are the way to smuggle a second message.
  if (found.size > 1) throw new StreamFramingError('more than one Content-Length');
  return found.values().next().value ?? 0;
}
