import { Injectable } from '@nestjs/common';
import type { SecretPlace } from '../../../common/crypto/secret-box.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { SECRET_OVERLAP_MS, SealedSecretsService, type SecretDetails } from './sealed-secrets.service.js';
import type { WebhookSecret } from './webhook-secret.entity.js';
import { WebhookSecretsRepository } from './webhook-secrets.repository.js';

/** The secret an account's deliveries are signed with, but for those of a subscription, which has its own. */
@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly secrets: WebhookSecretsRepository,
    private readonly sealed: SealedSecretsService,
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
      await this.secrets.replace(userId, this.sealed.sealNew(place(userId)), SECRET_OVERLAP_MS, tx);
      return this.open(await this.ensure(userId, tx));
    });
  }

  /** What to sign with now, the current secret first. */
  async signingSecrets(userId: number): Promise<string[]> {
    return this.sealed.signing(await this.ensure(userId), place(userId));
  }

  private async ensure(userId: number, tx?: Tx): Promise<WebhookSecret> {
    const found = await this.secrets.find(userId, tx);
    if (found) return found;
    await this.secrets.addFirst(userId, this.sealed.sealNew(place(userId)), tx);
    const made = await this.secrets.find(userId, tx);
    if (!made) throw new Error('a webhook secret was written and is not there');
    return made;
  }

  private open(row: WebhookSecret): SecretDetails {
    return this.sealed.details(row, row.createdAt, place(row.userId));
  }
}

function place(userId: number): SecretPlace {
  return { userId, column: 'webhook_secrets.secret', rowId: userId };
}
