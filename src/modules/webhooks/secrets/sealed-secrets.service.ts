import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../../common/crypto/secret-box.js';
import { newWebhookSecret } from './webhook-signature.js';

/** Time a receiver has to learn a new secret. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** A row's secret, and the one before, which signs as well until it expires. */
export interface SealedSecrets {
  readonly sealedSecret: string;
  readonly sealedPreviousSecret: string | null;
  readonly previousExpiresAt: Date | null;
}

export interface SecretDetails {
  readonly secret: string;
  readonly createdAt: Date;
  /** Until then the secret before signs as well; null when there is none. */
  readonly previousExpiresAt: Date | null;
}

/** Seals and opens secrets that sign webhooks. A secret and the one before share a place, so that one can become the other. */
@Injectable()
export class SealedSecretsService {
  constructor(private readonly box: SecretBox) {}

  sealNew(place: SecretPlace): string {
    return this.box.seal(newWebhookSecret(), place);
  }

  details(row: SealedSecrets, createdAt: Date, place: SecretPlace): SecretDetails {
    return {
      secret: this.box.open(row.sealedSecret, place),
      createdAt,
      previousExpiresAt: previousExpiry(row),
    };
  }

  /** What to sign with now, the current secret first. */
  signing(row: SealedSecrets, place: SecretPlace): string[] {
    const previous = previousExpiry(row) ? row.sealedPreviousSecret : null;
    return [row.sealedSecret, ...(previous ? [previous] : [])].map((sealed) => this.box.open(sealed, place));
  }
}

function previousExpiry({ previousExpiresAt }: SealedSecrets): Date | null {
  return previousExpiresAt && previousExpiresAt.getTime() > Date.now() ? previousExpiresAt : null;
}
