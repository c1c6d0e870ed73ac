import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { guardedConnector } from '../../common/egress/guarded-connector.js';
import { systemLookup } from '../../common/egress/host-lookup.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { ModelConfig, SecurityConfig } from '../../config/config.js';
import type { KeyCheck } from '../account-keys/key-check.js';
import { AccountChatModel } from './account-keys/account-chat-model.js';
import type { AccountChatKey, AccountChatKeys } from './account-keys/account-chat-keys.js';
import { AccountChatModels } from './account-keys/account-chat-models.js';
import { checkChatKey } from './account-keys/chat-key-check.js';
import type { ChatModel } from './chat-model.js';
import { HistoryTrimmingModel } from './history/history-trimming-model.js';
import { ChatModelMetrics, MeasuredChatModel } from './measured-chat-model.js';
import { KeepAliveFetch } from './openai/keep-alive-fetch.js';
import { OpenAiChatModel } from './openai/openai-chat-model.js';
import { KnownModels } from './openai/request/model-habits.js';
import { SandboxChatModel } from './sandbox/sandbox-chat-model.js';

/** Of the metrics: one for all accounts, and apart from the installation's, whose failures are the operator's matter. */
const ACCOUNT_KEY = 'account-key';
const CHECK_MS = 10_000;

/** A model as its server calls it, and whether the server has named it. */
export interface AnsweringModel {
  readonly name: string;
  /** False where the server could not be asked for its models, or lists none. */
  readonly isListed: boolean;
}

/**
 * Says which chat model answers for an account: its own where it has brought a key, otherwise the installation's, which
 * configuration chooses at start-up.
 */
@Injectable()
export class ChatModelRegistry implements OnApplicationShutdown {
  private readonly logger = new Logger(ChatModelRegistry.name);
  private readonly model: OpenAiChatModel | SandboxChatModel;
  /** To servers that customers have named. */
  private readonly guarded: KeepAliveFetch;
  /** A key that is changed does not change its server. */
  private readonly knownModels = new KnownModels();
  private readonly accounts: AccountChatModels;

  /** The OpenAI-compatible model when an address or a key is configured, otherwise the sandbox. */
  readonly installation: ChatModel;

  constructor(
    private readonly config: ModelConfig,
    { egressAllowCidrs: allowCidrs }: SecurityConfig,
    metrics: MetricsService,
  ) {
    this.model = createModel(config, this.knownModels);
    const measures = new ChatModelMetrics(metrics);
    this.installation = new HistoryTrimmingModel(new MeasuredChatModel(this.model, measures));
    this.guarded = new KeepAliveFetch(guardedConnector({ allowCidrs, lookup: systemLookup }));
    this.accounts = new AccountChatModels(
      (key) => new HistoryTrimmingModel(new MeasuredChatModel(this.modelOf(key), measures, ACCOUNT_KEY)),
    );
    if (this.model.provider === 'sandbox') {
      this.logger.warn('Chat answers come from the sandbox model, which is no neural network');
    } else {
      this.logger.log('Chat answers come from an OpenAI-compatible server');
    }
  }

  /** To be called at start, by the owner of the accounts' keys. */
  readAccountKeysFrom(keys: AccountChatKeys): void {
    this.accounts.readFrom(keys);
  }

  /** To be called when the key of an account was stored or removed: this process follows at once, others in ten seconds. */
  accountKeyChanged(userId: number): void {
    this.accounts.forget(userId);
  }

  /**
   * The model that answers for an account. The account's own key is looked up again for each request.
   *
   * @throws the error of the failed look-up, where nothing is known of the account's key
   */
  async select(userId: number): Promise<ChatModel> {
    const own = await this.accounts.find(userId);
    return own === null ? this.installation : new AccountChatModel(userId, this.accounts, this.installation);
  }

  /** Whether the account has brought a key, with which its assistants answer. */
  async usesOwnKey(userId: number): Promise<boolean> {
    return (await this.accounts.find(userId)) !== null;
  }

  /** Asks a server whether it takes a key, without a trace in the metrics. Takes ten seconds at most. */
  checkAccountKey(key: Pick<AccountChatKey, 'baseUrl' | 'apiKey'>): Promise<KeyCheck> {
    return checkChatKey(() => this.modelOf({ ...key, model: null }).check(CHECK_MS));
  }

  /**
   * The installation's model that answers when an assistant asks for `wanted`; null where the sandbox does, which has no
   * models. A server of one's own is asked for its list, which takes two seconds at most.
   */
  async answeringModel(wanted: string): Promise<AnsweringModel | null> {
    if (!(this.model instanceof OpenAiChatModel)) return null;
    return { name: await this.model.modelFor(wanted), isListed: this.model.hasListedModels };
  }

  /** Drops the connections, and with them turns the drain has not waited for. */
  async onApplicationShutdown(): Promise<void> {
    await this.guarded.close();
    if (this.model instanceof OpenAiChatModel) await this.model.close();
  }

  private modelOf({ baseUrl, apiKey, model }: Pick<AccountChatKey, 'baseUrl' | 'apiKey' | 'model'>) {
    return new OpenAiChatModel({
      baseUrl: baseUrl ?? undefined,
      apiKey,
      model: model ?? undefined,
      replacesUnknownModels: true,
      timeoutMs: this.config.timeoutMs,
      connections: this.guarded,
      knownModels: this.knownModels,
      embeddingModel: this.config.embeddingModel,
    });
  }
}

/** An empty variable is how many deployments write "not set". */
function createModel(
  { baseUrl, apiKey, model, embeddingModel, timeoutMs }: ModelConfig,
  knownModels: KnownModels,
): OpenAiChatModel | SandboxChatModel {
  if (!baseUrl && !apiKey) return new SandboxChatModel();
  return new OpenAiChatModel({
    baseUrl: baseUrl || undefined,
    apiKey: apiKey || undefined,
    model,
    replacesUnknownModels: true,
    timeoutMs,
    knownModels,
    embeddingModel,
  });
}
