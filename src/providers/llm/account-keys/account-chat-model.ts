import type { ChatChunk, ChatModel, ChatRequest, ChatStreamOptions } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { withoutServersWords } from '../openai/openai-error.js';
import type { AccountChatModels } from './account-chat-models.js';

/**
 * The model of an account that has brought a key. The key is looked up for each request. A change therefore takes
 * effect in long calls and simulations too.
 * A key that fails is not replaced by the installation's: the account would spend its money without knowing.
 */
export class AccountChatModel implements ChatModel {
  readonly provider = 'openai-compatible';
  readonly capabilities = { streaming: true, parallelToolCalls: true };

  /** @param installation answers once the account has removed its key */
  constructor(
    private readonly userId: number,
    private readonly models: AccountChatModels,
    private readonly installation: ChatModel,
  ) {}

  async *stream(request: ChatRequest, options?: ChatStreamOptions): AsyncGenerator<ChatChunk> {
    const found = await this.find();
    if (found === null) return yield* this.installation.stream(request, options);
    try {
      yield* found.model.stream(request, options);
      this.models.turnedOut(found, 'accepted');
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.code === 'unauthorized') this.models.turnedOut(found, 'refused');
      throw withoutServersWords(error);
    }
  }

  private async find() {
    const found = await this.models.find(this.userId).catch((cause: unknown) => {
      throw new ModelError('unavailable', { cause });
    });
    if (found instanceof Error) throw new ModelError('unauthorized', { cause: found });
    return found;
  }
}
