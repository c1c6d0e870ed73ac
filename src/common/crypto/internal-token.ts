import { hkdfSync, timingSafeEqual } from 'node:crypto';

/** Authenticates processes of one installation to each other; derived from the key that all of them have. */
export class InternalToken {
  /** What this process shows. */
  readonly own: string;
  private readonly known: readonly Buffer[];

  /** @param keys as those of SecretBox: the newest first. A process that shows the token of an older key is accepted too. */
  constructor(keys: readonly string[]) {
    this.known = keys.map((key) => tokenOf(key));
    this.own = (this.known[0] ?? Buffer.alloc(0)).toString('base64url');
  }

  isValid(shown: string): boolean {
    const token = Buffer.from(shown, 'base64url');
    return this.known.some((known) => token.length === known.length && timingSafeEqual(token, known));
  }
}

function tokenOf(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'prosa internal token', 32));
}
