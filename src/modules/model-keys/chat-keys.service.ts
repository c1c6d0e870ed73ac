import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AccountChatKey, AccountChatKeys } from '../../providers/llm/account-keys/account-chat-keys.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import type { PutChatModelKeyRequest } from './dto/chat-model-key.request.js';
import { type KeyTest, toRejection, refuseUnlessPlain } from './key-refusal.js';
import { type ModelKeyDetails, ModelKeyVault } from './model-key-vault.service.js';

const CHAT = 'chat';

/** `demo`: the sandbox model, which is no neural network. */
export const CHAT_MODEL_SOURCES = ['demo', 'installation', 'own_key'] as const;
export type ChatModelSource = (typeof CHAT_MODEL_SOURCES)[number];

/** The keys for chat models that accounts have brought: what chats, calls and simulations are answered with. */
@Injectable()
export class ChatKeysService implements AccountChatKeys, OnModuleInit {
  constructor(
    private readonly vault: ModelKeyVault,
    private readonly models: ChatModelRegistry,
  ) {}

  onModuleInit(): void {
    this.models.readAccountKeysFrom(this);
  }

  /** Whose model answers the assistants of an account. */
  async source(userId: number): Promise<ChatModelSource> {
    if (await this.vault.find(userId, CHAT)) return 'own_key';
    return this.models.installation.provider === 'sandbox' ? 'demo' : 'installation';
  }

  /** Null where the account has stored none. */
  async find(userId: number): Promise<ModelKeyDetails | null> {
    const stored = await this.vault.find(userId, CHAT);
    return stored && this.vault.detailsOf(stored);
  }

  /**
   * Stores a key that the server takes, in place of the one before. Chats and calls of this process follow at once.
   *
   * @throws ValidationFailedError when the server refuses it, cannot be asked, or may not be; then nothing is changed
   */
  async put(userId: number, request: PutChatModelKeyRequest): Promise<ModelKeyDetails> {
    const stored = await this.vault.find(userId, CHAT);
    const { base_url: baseUrl = stored?.baseUrl ?? null, model = stored?.model ?? null } = request;
    refuseUnlessPlain(baseUrl);
    const apiKey = this.vault.keyFor(baseUrl, request.api_key, stored);
    const check = await this.models.checkAccountKey({ baseUrl, apiKey });
    if (check !== 'ok') throw toRejection(check);
    const details = await this.vault.put(apiKey, {
      userId,
      service: CHAT,
      baseUrl,
      region: null,
      model,
      recognizerModel: null,
      synthesizerModel: null,
    });
    this.models.accountKeyChanged(userId);
    return details;
  }

  /** @throws ModelKeyNotFoundError */
  async delete(userId: number): Promise<void> {
    await this.vault.delete(userId, CHAT);
    this.models.accountKeyChanged(userId);
  }

  /** Asks the server whether it takes the stored key, and remembers what it says. @throws ModelKeyNotFoundError */
  async test(userId: number): Promise<KeyTest> {
    const stored = await this.vault.get(userId, CHAT);
    const apiKey = this.vault.opened(stored);
    if (apiKey === null) return 'unreadable';
    const check = await this.models.checkAccountKey({ baseUrl: stored.baseUrl, apiKey });
    if (check === 'ok' || check === 'refused') await this.vault.tested(stored, check === 'ok');
    this.models.accountKeyChanged(userId);
    return check;
  }

  /** See AccountChatKeys. */
  async findChatKey(userId: number): Promise<AccountChatKey | null> {
    const stored = await this.vault.find(userId, CHAT);
    if (!stored) return null;
    const { version, baseUrl, model, refusedAt } = stored;
    return {
      userId,
      version,
      baseUrl,
      apiKey: this.vault.open(stored),
      model,
      isRefused: refusedAt !== null,
    };
  }

  /** See AccountChatKeys. */
  chatKeyTurnedOut(
    { userId, version }: Pick<AccountChatKey, 'userId' | 'version'>,
    how: 'refused' | 'accepted',
  ): void {
    this.vault.turnedOut({ userId, service: CHAT, version }, how);
  }
}
