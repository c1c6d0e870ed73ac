import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Where a secret lives; sealed into it, so that a ciphertext moved to another row or tenant does not open. */
export interface SecretPlace {
  readonly userId: number;
  /** Table and column, such as `tools.headers`. */
  readonly column: string;
  readonly rowId: number | string;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;

/** A sealed secret that cannot be opened: wrong key, wrong place, or changed bytes. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

/** By which a sealed secret names its key, and which tells nothing of the key. */
export function keyIdOf(encoded: string): string {
  return createHash('sha256').update(Buffer.from(encoded, 'base64')).digest('base64url').slice(0, 8);
}

/** Seals secrets given by users with AES-256-GCM. Form: `v1.<key id>.<nonce>.<ciphertext>.<tag>`, base64url parts. */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly current: { readonly id: string; readonly key: Buffer };
  /** Called with the id of the key at each seal. */
  onSeal: (keyId: string) => void = () => undefined;

  /** @param keys 32-byte keys in base64, the one for sealing first, older ones after it for opening */
  constructor(keys: readonly string[]) {
    const entries = keys.map((encoded) => {
      const key = Buffer.from(encoded, 'base64');
      return { id: keyIdOf(encoded), key };
    });
    const [current] = entries;
    if (!current) throw new Error('a secret box needs a key');
    this.current = current;
    this.keys = new Map(entries.map(({ id, key }) => [id, key]));
  }

  /** Of the key that seals. */
  get currentId(): string {
    return this.current.id;
  }

  /** Of all keys that open. */
  get keyIds(): readonly string[] {
    return [...this.keys.keys()];
  }

  seal(plaintext: string, place: SecretPlace): string {
    this.onSeal(this.current.id);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.key, nonce).setAAD(associatedData(place));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    const parts = [nonce, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return [VERSION, this.current.id, ...parts].join('.');
  }

  /** @throws SecretUnreadableError */
  open(sealed: string, place: SecretPlace): string {
    const [version, keyId = '', nonce = '', ciphertext = '', tag = ''] = sealed.split('.');
    const key = this.keys.get(keyId);
    if (version !== VERSION || !key)
      throw new SecretUnreadableError('the secret was sealed with an unknown key');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(associatedData(place))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([
        decipher.update(Buffer.from(ciphertext, 'base64url')),
        decipher.final(),
      ]).toString('utf8');
    } catch (error) {
      throw new SecretUnreadableError('the secret does not belong to this place or was changed', {
        cause: error,
      });
    }
  }
}

function associatedData({ userId, column, rowId }: SecretPlace): Buffer {
  return Buffer.from(`${userId}|${column}|${rowId}`);
}
