import { Injectable } from '@nestjs/common';
import type { SecretPlace } from '../../../common/crypto/secret-box.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import {
  SECRET_OVERLAP_MS,
  SealedSecretsService,
  type SecretDetails,
} from '../secrets/sealed-secrets.service.js';
import { WebhookSubscriptionNotFoundError } from './webhook-subscriptions.errors.js';
import { WebhookSubscriptionsRepository } from './webhook-subscriptions.repository.js';

/** The secrets that the deliveries of subscriptions are signed with: each has its own. */
@Injectable()
export class SubscriptionSecretsService {
  constructor(
    private readonly subscriptions: WebhookSubscriptionsRepository,
    private readonly sealed: SealedSecretsService,
    private readonly transactions: Transactions,
  ) {}

  /** A new one, sealed. */
  sealNew(userId: number, id: number): string {
    return this.sealed.sealNew(place(userId, id));
  }

  /** @throws WebhookSubscriptionNotFoundError */
  async get(userId: number, id: number, tx?: Tx): Promise<SecretDetails> {
    const row = (await this.subscriptions.find(userId, id, tx)) ?? WebhookSubscriptionNotFoundError.throw();
    return this.sealed.details(row.subscription, row.subscription.secretCreatedAt, place(userId, id));
  }

  /** Makes a new secret; the current one signs as well for 24 hours. @throws WebhookSubscriptionNotFoundError */
  rotate(userId: number, id: number): Promise<SecretDetails> {
    return this.transactions.run(async (tx) => {
      await this.subscriptions.replaceSecret(userId, id, this.sealNew(userId, id), SECRET_OVERLAP_MS, tx);
      return this.get(userId, id, tx);
    });
  }

  /** What to sign with now, the current secret first; null when the subscription is gone. */
  async signingSecrets(userId: number, id: number): Promise<string[] | null> {
    const row = await this.subscriptions.find(userId, id);
    return row && this.sealed.signing(row.subscription, place(userId, id));
  }
}

function place(userId: number, rowId: number): SecretPlace {
  return { userId, column: 'webhook_subscriptions.secret', rowId };
}
