import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { WebhookSecret } from './webhook-secret.entity.js';

@Injectable()
export class WebhookSecretsRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, tx?: Tx): Promise<WebhookSecret | null> {
    return this.database.manager(tx).findOneBy(WebhookSecret, { userId });
  }

  /** Of several that add the first secret at once, one does. */
  async addFirst(userId: number, sealedSecret: string, tx?: Tx): Promise<void> {
    await this.database.query(
      'INSERT INTO webhook_secrets (user_id, sealed_secret) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [userId, sealedSecret],
      tx,
    );
  }

  /** Puts a new secret in the place of the current one, which stays valid for a while. */
  async replace(userId: number, sealedSecret: string, overlapMs: number, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE webhook_secrets
       SET sealed_previous_secret = sealed_secret, previous_expires_at = now() + make_interval(secs => $3),
         sealed_secret = $2, created_at = now()
       WHERE user_id = $1`,
      [userId, sealedSecret, overlapMs / 1_000],
      tx,
    );
  }
}
