import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/** What a link that expires has in its query. */
export interface LinkSignature {
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

/** Signs the content of a link. The holder of a link may follow it, but cannot make another one. */
export class LinkSigner {
  private readonly keys: readonly Buffer[];

  /** @param keys as those of SecretBox: the one for signing first, older ones after it for checking */
  constructor(keys: readonly string[]) {
    this.keys = keys.map((key) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'prosa links', KEY_BYTES)),
    );
  }

  /** A signature in 43 characters of base64url. */
  sign(content: string): string {
    const [key] = this.keys;
    if (!key) throw new Error('a link signer needs a key');
    return signatureOf(key, content);
  }

  isSigned(content: string, signed: string): boolean {
    // As text: several texts of base64 stand for the same bytes.
    const given = Buffer.from(signed);
    return this.keys.some((key) => {
      const right = Buffer.from(signatureOf(key, content));
      return right.length === given.length && timingSafeEqual(right, given);
    });
  }

  /** The query of a link that expires. @param expiresAt seconds since 1970 */
  expiringQuery(content: string, expiresAt: number): string {
    return `expires=${expiresAt}&signature=${this.sign(`${content}:${expiresAt}`)}`;
  }

  /** Whether a query is one of `expiringQuery`, and has not expired. */
  isValid(content: string, { expires, signature }: LinkSignature, nowMs = Date.now()): boolean {
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 <= nowMs) return false;
    return this.isSigned(`${content}:${Number(expires)}`, signature);
  }
}

function signatureOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url');
}
