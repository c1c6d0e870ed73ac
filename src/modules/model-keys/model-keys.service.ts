import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox, type SecretPlace, SecretUnreadableError } from '../../common/crypto/secret-box.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { Logger } from '../../common/observability/logger.js';
import { HIDDEN, masked } from '../../common/text/masked.js';
import { Transactions } from '../../database/transactions.js';
import type { AccountChatKey, AccountChatKeys } from '../../providers/llm/account-keys/account-chat-keys.js';
import { KEY_CHECKS, type KeyCheck } from '../../providers/account-keys/key-check.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import type { PutChatModelKeyRequest } from './dto/chat-model-key.request.js';
import { MODEL_KEY_REFUSED, type ModelKeyRefusedPayload } from './model-key-refused.event.js';
import type { ModelKey } from './model-key.entity.js';
import { ModelKeyNotFoundError } from './model-keys.errors.js';
import { ModelKeysRepository } from './model-keys.repository.js';
import { modelKeyText } from './model-keys.texts.js';

const CHAT = 'chat';

const ERRORS: Readonly<Record<Exclude<KeyCheck, 'ok'>, readonly [field: string, key: Refusal]>> = {
  refused: ['api_key', 'model_keys.refused'],
  forbidden: ['base_url', 'model_keys.forbidden'],
  incompatible: ['base_url', 'model_keys.incompatible'],
  unreachable: ['base_url', 'model_keys.unreachable'],
};
type Refusal = `model_keys.${Exclude<KeyCheck, 'ok'>}`;

/** What came of asking; `unreadable`: the installation cannot open the key. */
export const CHAT_KEY_TESTS = [...KEY_CHECKS, 'unreadable'] as const;
export type ChatKeyTest = (typeof CHAT_KEY_TESTS)[number];

/** A key with what may be shown of it. */
export interface ModelKeyDetails extends Omit<ModelKey, 'sealedApiKey'> {
  readonly maskedApiKey: string;
  /** Whether this installation can open it. */
  readonly isReadable: boolean;
}

/** The keys for models that accounts have brought, sealed. What chats, calls and simulations are answered with. */
@Injectable()
export class ModelKeysService implements AccountChatKeys, OnModuleInit {
  constructor(
    private readonly repository: ModelKeysRepository,
    private readonly secrets: SecretBox,
    private readonly models: ChatModelRegistry,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.models.readAccountKeysFrom(this);
  }

  /** Null where the account has stored none. */
  async findChat(userId: number): Promise<ModelKeyDetails | null> {
    const stored = await this.repository.find(userId, CHAT);
    return stored && this.detailsOf(stored);
  }

  /**
   * Stores a key that the server takes, in place of the one before. Chats and calls of this process follow at once.
   *
   * @throws ValidationFailedError when the server refuses it, cannot be asked, or may not be; then nothing is changed
   */
  async putChat(userId: number, request: PutChatModelKeyRequest): Promise<ModelKeyDetails> {
    const stored = await this.repository.find(userId, CHAT);
    const { base_url: baseUrl = stored?.baseUrl ?? null, model = stored?.model ?? null } = request;
    if (baseUrl !== null && /[?#]/.test(baseUrl)) {
      throw ValidationFailedError.of('base_url', modelKeyText('model_keys.plain_address'));
    }
    const apiKey = this.keyFor(baseUrl, request, stored);
    const check = await this.models.checkAccountKey({ baseUrl, apiKey });
    if (check !== 'ok') throw refusalOf(check);
    const sealedApiKey = this.secrets.seal(apiKey, placeOf({ userId, service: CHAT }));
    await this.repository.put({
      userId,
      service: CHAT,
      version: randomUUID(),
      baseUrl,
      sealedApiKey,
      model,
    });
    this.models.accountKeyChanged(userId);
    return this.detailsOf(await this.getChat(userId));
  }

  /** @throws ModelKeyNotFoundError */
  async deleteChat(userId: number): Promise<void> {
    if (!(await this.repository.delete(userId, CHAT))) throw new ModelKeyNotFoundError();
    this.models.accountKeyChanged(userId);
  }

  /** Asks the server whether it takes the stored key, and remembers what it says. @throws ModelKeyNotFoundError */
  async testChat(userId: number): Promise<ChatKeyTest> {
    const stored = await this.getChat(userId);
    const apiKey = this.openedOf(stored);
    if (apiKey === null) return 'unreadable';
    const check = await this.models.checkAccountKey({ baseUrl: stored.baseUrl, apiKey });
    if (check === 'refused') await this.tellRefused(stored);
    if (check === 'ok') await this.repository.accept(stored, true);
    this.models.accountKeyChanged(userId);
    return check;
  }

  /** See AccountChatKeys. */
  async findChatKey(userId: number): Promise<AccountChatKey | null> {
    const stored = await this.repository.find(userId, CHAT);
    if (!stored) return null;
    const { version, baseUrl, model, refusedAt } = stored;
    const apiKey = this.secrets.open(stored.sealedApiKey, placeOf(stored));
    return { userId, version, baseUrl, apiKey, model, isRefused: refusedAt !== null };
  }

  /** See AccountChatKeys. */
  chatKeyTurnedOut(
    { userId, version }: Pick<AccountChatKey, 'userId' | 'version'>,
    how: 'refused' | 'accepted',
  ): void {
    const key = { userId, service: CHAT, version } as const;
    const written = how === 'refused' ? this.tellRefused(key) : this.repository.accept(key, false);
    written.catch((err: unknown) => this.logger.warn('model key not marked', { userId, how, err }));
  }

  /** Tells the account, unless it knows. */
  private async tellRefused(key: Pick<ModelKey, 'userId' | 'service' | 'version'>): Promise<void> {
    const { userId, service } = key;
    const isWanted = await this.transactions.run(async (tx) => {
      const refused = await this.repository.refuse(key, tx);
      if (!refused) return false;
      this.logger.warn('model key of an account refused', { userId, service });
      const data: ModelKeyRefusedPayload = {
        service,
        base_url: refused.baseUrl,
        refused_at: refused.refusedAt.toISOString(),
      };
      return this.webhooks.publish({ userId, kind: MODEL_KEY_REFUSED, subjectId: key.version, data }, tx);
    });
    if (isWanted) this.webhooks.wake();
  }

  private async getChat(userId: number): Promise<ModelKey> {
    const stored = await this.repository.find(userId, CHAT);
    if (!stored) throw new ModelKeyNotFoundError();
    return stored;
  }

  /** The key that was sent, or the stored one, which goes to no other server than it was given for. */
  private keyFor(
    baseUrl: string | null,
    { api_key: sent }: PutChatModelKeyRequest,
    stored: ModelKey | null,
  ): string {
    const kept = stored && this.openedOf(stored);
    if (sent !== undefined && !sent.startsWith(HIDDEN)) return sent;
    // A mask stands for the stored key, and for no other.
    const isKept = kept !== null && (sent === undefined || sent === masked(kept));
    if (!stored || !isKept) throw ValidationFailedError.of('api_key', 'validation.required');
    if (originOf(baseUrl) !== originOf(stored.baseUrl)) {
      throw ValidationFailedError.of('api_key', modelKeyText('model_keys.new_server'));
    }
    return kept;
  }

  private detailsOf({ sealedApiKey, ...stored }: ModelKey): ModelKeyDetails {
    const apiKey = this.openedOf({ ...stored, sealedApiKey });
    return {
      ...stored,
      maskedApiKey: apiKey === null ? HIDDEN : masked(apiKey),
      isReadable: apiKey !== null,
    };
  }

  /** Null for one that was sealed with a key that this installation does not have, e.g. after a restore. */
  private openedOf(stored: ModelKey): string | null {
    try {
      return this.secrets.open(stored.sealedApiKey, placeOf(stored));
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}

function placeOf({ userId, service }: Pick<ModelKey, 'userId' | 'service'>): SecretPlace {
  return { userId, column: 'model_keys.api_key', rowId: service };
}

/** Null for OpenAI's own. */
function originOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).origin;
}

function refusalOf(check: Exclude<KeyCheck, 'ok'>): ValidationFailedError {
  const [field, key] = ERRORS[check];
  return ValidationFailedError.of(field, modelKeyText(key));
}
