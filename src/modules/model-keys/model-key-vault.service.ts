import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace, SecretUnreadableError } from '../../common/crypto/secret-box.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { Logger } from '../../common/observability/logger.js';
import { HIDDEN, masked } from '../../common/text/masked.js';
import { Transactions } from '../../database/transactions.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { MODEL_KEY_REFUSED, type ModelKeyRefusedPayload } from './model-key-refused.event.js';
import { type KeyUse, speechProviderOf } from './key-use.js';
import type { ModelKey } from './model-key.entity.js';
import { ModelKeyNotFoundError } from './model-keys.errors.js';
import { type ModelKeyVersion, ModelKeysRepository, type NewModelKey } from './model-keys.repository.js';
import { modelKeyText } from './model-keys.texts.js';

/** A key with what may be shown of it. */
export interface ModelKeyDetails extends Omit<ModelKey, 'sealedApiKey'> {
  readonly maskedApiKey: string;
  /** Whether this installation can open it. */
  readonly isReadable: boolean;
}

/** The keys for models and speech that accounts have brought, sealed, and what is known of whether they are taken. */
@Injectable()
export class ModelKeyVault {
  constructor(
    private readonly repository: ModelKeysRepository,
    private readonly secrets: SecretBox,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  find(userId: number, service: KeyUse): Promise<ModelKey | null> {
    return this.repository.find(userId, service);
  }

  findForSpeech(userId: number): Promise<ModelKey[]> {
    return this.repository.findForSpeech(userId);
  }

  /** @throws ModelKeyNotFoundError */
  async get(userId: number, service: KeyUse): Promise<ModelKey> {
    return (await this.repository.find(userId, service)) ?? ModelKeyNotFoundError.throw();
  }

  /** In place of the one before. */
  async put(apiKey: string, key: Omit<NewModelKey, 'version' | 'sealedApiKey'>): Promise<ModelKeyDetails> {
    const sealedApiKey = this.secrets.seal(apiKey, placeOf(key));
    await this.repository.put({ ...key, version: randomUUID(), sealedApiKey });
    return this.detailsOf(await this.get(key.userId, key.service));
  }

  /** @throws ModelKeyNotFoundError */
  async delete(userId: number, service: KeyUse): Promise<void> {
    if (!(await this.repository.delete(userId, service))) throw new ModelKeyNotFoundError();
  }

  /**
   * The key that was sent, or the stored one, which goes to no other server than it was given for.
   *
   * @throws ValidationFailedError at `api_key`
   */
  keyFor(baseUrl: string | null, sent: string | undefined, stored: ModelKey | null): string {
    const kept = stored && this.opened(stored);
    if (sent !== undefined && !sent.startsWith(HIDDEN)) return sent;
    // A mask means the stored key, and no other.
    const isKept = kept !== null && (sent === undefined || sent === masked(kept));
    if (!stored || !isKept) throw ValidationFailedError.of('api_key', 'validation.required');
    if (originOf(baseUrl) !== originOf(stored.baseUrl)) {
      throw ValidationFailedError.of('api_key', modelKeyText('model_keys.new_server'));
    }
    return kept;
  }

  detailsOf({ sealedApiKey, ...stored }: ModelKey): ModelKeyDetails {
    const apiKey = this.opened({ ...stored, sealedApiKey });
    return {
      ...stored,
      maskedApiKey: apiKey === null ? HIDDEN : masked(apiKey),
      isReadable: apiKey !== null,
    };
  }

  /** Null for one that was sealed with a key that this installation does not have, e.g. after a restore. */
  opened(stored: ModelKey): string | null {
    try {
      return this.open(stored);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }

  /** @throws SecretUnreadableError */
  open(stored: ModelKey): string {
    return this.secrets.open(stored.sealedApiKey, placeOf(stored));
  }

  /** Records the result of a test. The account is notified of a refusal, unless it was before. */
  async tested(key: ModelKeyVersion, isTaken: boolean): Promise<void> {
    await (isTaken ? this.repository.accept(key, true) : this.publishRefused(key));
  }

  /** Records the result of a use. Never fails; callers do not wait for it. */
  turnedOut({ userId, service, version }: ModelKeyVersion, how: 'refused' | 'accepted'): void {
    const key = { userId, service, version };
    const written = how === 'refused' ? this.publishRefused(key) : this.repository.accept(key, false);
    written.catch((err: unknown) => this.logger.warn('model key not marked', { userId, service, how, err }));
  }

  private async publishRefused(key: ModelKeyVersion): Promise<void> {
    const { userId, service } = key;
    const isWanted = await this.transactions.run(async (tx) => {
      const refused = await this.repository.refuse(key, tx);
      if (!refused) return false;
      this.logger.warn('model key of an account refused', { userId, service });
      const provider = speechProviderOf(service);
      const data: ModelKeyRefusedPayload = {
        ...(provider === null ? { service: 'chat' } : { service: 'speech', provider }),
        base_url: refused.baseUrl,
        refused_at: refused.refusedAt.toISOString(),
      };
      return this.webhooks.publish({ userId, kind: MODEL_KEY_REFUSED, subjectId: key.version, data }, tx);
    });
    if (isWanted) this.webhooks.wake();
  }
}

function placeOf({ userId, service }: Pick<ModelKey, 'userId' | 'service'>): SecretPlace {
  return { userId, column: 'model_keys.api_key', rowId: service };
}

/** Null for the vendor's own. */
function originOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).origin;
}
