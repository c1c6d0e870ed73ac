import { type BodyPart, bodyPartsOf, sessionDescriptionOf } from './body-parts.js';
import {
  type CommandSequence,
  type NameAddress,
  parseCommandSequence,
  parseNameAddress,
  parseVia,
  type Via,
} from './header-values.js';
import { reasonPhrase } from './reason-phrases.js';
import { isListHeader, SipHeaders, writtenHeaderName } from './sip-headers.js';

const NO_BODY = Buffer.alloc(0);

/** Written first, in this order, for those who read traces; proxies find Via and Route sooner. */
const FIRST = ['via', 'route', 'record-route', 'max-forwards', 'from', 'to', 'call-id', 'cseq', 'contact'];

/** What requests and responses share. Header values are Latin-1, the body is bytes. */
abstract class SipMessageBase {
  body: Buffer = NO_BODY;

  constructor(readonly headers: SipHeaders) {}

  get callId(): string {
    return this.headers.get('call-id') ?? '';
  }

  get cseq(): CommandSequence {
    return parseCommandSequence(this.headers.get('cseq') ?? '') ?? { number: 0, method: '' };
  }

  get from(): NameAddress | null {
    return parseNameAddress(this.headers.get('from') ?? '');
  }

  get to(): NameAddress | null {
    return parseNameAddress(this.headers.get('to') ?? '');
  }

  get fromTag(): string | null {
    return this.from?.parameters.get('tag') || null;
  }

  get toTag(): string | null {
    return this.to?.parameters.get('tag') || null;
  }

  get contact(): NameAddress | null {
    return parseNameAddress(this.headers.get('contact') ?? '');
  }

  /** The topmost Via. */
  get via(): Via | null {
    return parseVia(this.headers.get('via') ?? '');
  }

  /** The branch of the topmost Via, which names the transaction. */
  get branch(): string {
    return this.via?.parameters.get('branch') ?? '';
  }

  /** The body, or the parts of a multipart body. */
  get parts(): readonly BodyPart[] {
    return bodyPartsOf(this.headers, this.body);
  }

  /** The session description in the body, alone or among other parts; else the empty string. */
  get sdp(): string {
    return sessionDescriptionOf(this.parts);
  }

  setBody(contentType: string, body: string): this {
    this.body = Buffer.from(body, 'utf8');
    this.headers.set('content-type', contentType);
    return this;
  }

  /** The message as it goes onto the wire; Content-Length is always written. */
  serialize(): Buffer {
    const lines = [this.startLine()];
    for (const name of FIRST) {
      for (const value of this.headers.all(name)) lines.push(`${writtenHeaderName(name)}: ${value}`);
    }
    for (const [name, values] of this.headers.entries()) {
      if (FIRST.includes(name) || name === 'content-length') continue;
      // One line for a list: shorter, and some peers read the first line alone.
      const written = isListHeader(name) ? [values.join(', ')] : values;
      for (const value of written) lines.push(`${writtenHeaderName(name)}: ${value}`);
    }
    lines.push(`Content-Length: ${this.body.length}`, '', '');
    return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), this.body]);
  }

  protected abstract startLine(): string;
}

export class SipRequest extends SipMessageBase {
  readonly kind = 'request';

  constructor(
    readonly method: string,
    /** The Request-URI as written. */
    public uri: string,
    headers: SipHeaders = new SipHeaders(),
  ) {
    super(headers);
  }

  clone(): SipRequest {
    const copy = new SipRequest(this.method, this.uri, this.headers.clone());
    copy.body = this.body;
    return copy;
  }

  protected startLine(): string {
    return `${this.method} ${this.uri} SIP/2.0`;
  }
}

export class SipResponse extends SipMessageBase {
  readonly kind = 'response';

  constructor(
    readonly status: number,
    readonly reason: string = reasonPhrase(status),
    headers: SipHeaders = new SipHeaders(),
  ) {
    super(headers);
  }

  /**
   * A response with what RFC 3261 §8.2.6 copies from the request.
   *
   * @param toTag put onto To where the request has none; not onto a 100
   */
  static to(request: SipRequest, status: number, toTag: string | null): SipResponse {
    const response = new SipResponse(status);
    response.headers.set('via', request.headers.all('via'));
    for (const name of ['from', 'to', 'call-id', 'cseq']) {
      response.headers.set(name, request.headers.all(name).slice(0, 1));
    }
    // A dialog is made by these alone (RFC 3261 §12.1.1).
    if (status > 100 && status < 300) {
      response.headers.set('record-route', request.headers.all('record-route'));
    }
    const to = request.headers.get('to');
    if (toTag !== null && to !== undefined && status > 100 && request.toTag === null) {
      response.headers.set('to', `${to};tag=${toTag}`);
    }
    return response;
  }

  protected startLine(): string {
    return `SIP/2.0 ${this.status} ${this.reason}`;
  }
}

export type SipMessage = SipRequest | SipResponse;
