import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../common/crypto/secret-box.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { WebhookSecret } from './webhook-secret.entity.js';
import { WebhookSecretsRepository } from './webhook-secrets.repository.js';
import { newWebhookSecret } from './webhook-signature.js';

/** Time a receiver has to learn a new secret. */
const OVERLAP_MS = 24 * 3_600_000;

export interface SecretDetails {
  readonly secret: string;
  readonly createdAt: Date;
  /** Until then the secret before signs as well; null when there is none. */
  readonly previousExpiresAt: Date | null;
}

/** The secret an account's deliveries are signed with. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly secrets: WebhookSecretsRepository,
    private readonly box: SecretBox,
    private readonly transactions: Transactions,
  ) {}

  /** The account's secret, made now when there is none. */
  async get(userId: number): Promise<SecretDetails> {
    return this.open(await this.ensure(userId));
  }

  /** Makes a new secret. The current one signs as well for 24 hours; the one before it no longer. */
  rotate(userId: number): Promise<SecretDetails> {
    return this.transactions.run(async (tx) => {
      await this.ensure(userId, tx);
      await this.secrets.replace(userId, this.sealNew(userId), OVERLAP_MS, tx);
      return this.open(await this.ensure(userId, tx));
    });
  }

  /** What to sign with now, the current secret first. */
  async signingSecrets(userId: number): Promise<string[]> {
    const row = await this.ensure(userId);
    const previous = previousExpiry(row) ? row.sealedPreviousSecret : null;
    return [row.sealedSecret, ...(previous ? [previous] : [])].map((sealed) =>
      this.box.open(sealed, place(userId)),
    );
  }

  private async ensure(userId: number, tx?: Tx): Promise<WebhookSecret> {
    const found = await this.secrets.find(userId, tx);
    if (found) return found;
    await this.secrets.addFirst(userId, this.sealNew(userId), tx);
    const made = await this.secrets.find(userId, tx);
    if (!made) throw new Error('a webhook secret was written and is not there');
    return made;
  }

  private sealNew(userId: number): string {
    return this.box.seal(newWebhookSecret(), place(userId));
  }

  private open(row: WebhookSecret): SecretDetails {
    return {
      secret: this.box.open(row.sealedSecret, place(row.userId)),
      createdAt: row.createdAt,
      previousExpiresAt: previousExpiry(row),
    };
  }
}

function previousExpiry({ previousExpiresAt }: WebhookSecret): Date | null {
  return previousExpiresAt && previousExpiresAt.getTime() > Date.now() ? previousExpiresAt : null;
}

/** The same for the current secret and the one before, so that one can become the other as it is. */
function place(userId: number): SecretPlace {
  return { userId, column: 'webhook_secrets.secret', rowId: userId };
}
