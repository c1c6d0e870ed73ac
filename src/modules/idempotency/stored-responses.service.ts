import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../common/crypto/secret-box.js';
import type { KeptAnswer } from './idempotency-key.entity.js';

/** Seals answers that are kept for repetitions: what a caller has sent may come back in them, such as headers of a tool. */
@Injectable()
export class StoredResponsesService {
  constructor(private readonly box: SecretBox) {}

  seal(keyHash: Buffer, body: string): string {
    return this.box.seal(body, placeOf(keyHash));
  }

  /** Null when none is kept. */
  open({ keyHash, sealedBody }: KeptAnswer): string | null {
    return sealedBody === null ? null : this.box.open(sealedBody, placeOf(keyHash));
  }
}

/** A key's hash is also one of whose key it is, which need not be an account. */
function placeOf(keyHash: Buffer): SecretPlace {
  return { userId: 0, column: 'idempotency_keys.body', rowId: keyHash.toString('hex') };
}
