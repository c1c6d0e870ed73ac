import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { ModelConfig } from '../../config/config.js';
import type { ChatModel } from './chat-model.js';
import { MeasuredChatModel } from './measured-chat-model.js';
import { OpenAiChatModel } from './openai/openai-chat-model.js';
import { SandboxChatModel } from './sandbox/sandbox-chat-model.js';

/** Holds the one chat model this process talks to, chosen by configuration at start-up. */
@Injectable()
export class ChatModelRegistry implements OnApplicationShutdown {
  private readonly logger = new Logger(ChatModelRegistry.name);
  private readonly model: OpenAiChatModel | SandboxChatModel;
  private readonly measured: MeasuredChatModel;

  constructor(config: ModelConfig, metrics: MetricsService) {
    this.model = createModel(config);
    this.measured = new MeasuredChatModel(this.model, metrics);
    if (this.model.provider === 'sandbox') {
      this.logger.warn('Chat answers come from the sandbox model, which is no neural network');
    } else {
      this.logger.log('Chat answers come from an OpenAI-compatible server');
    }
  }

  /** The OpenAI-compatible model when an address or a key is configured, otherwise the sandbox. */
  select(): ChatModel {
    return this.measured;
  }

  /**
   * The model that answers when an assistant asks for `wanted`; null where the sandbox does, which has no models. A server of
   * one's own is asked for its list, which takes two seconds at most.
   */
  async answeringModel(wanted: string): Promise<string | null> {
    return this.model instanceof OpenAiChatModel ? this.model.modelFor(wanted) : null;
  }

  /** Drops the provider's connections, and with them turns the drain has not waited for. */
  async onApplicationShutdown(): Promise<void> {
    if (this.model instanceof OpenAiChatModel) await this.model.close();
  }
}

/** An empty variable is how many deployments write "not set". */
function createModel({ baseUrl, apiKey, model, timeoutMs }: ModelConfig): OpenAiChatModel | SandboxChatModel {
  if (!baseUrl && !apiKey) return new SandboxChatModel();
  return new OpenAiChatModel({
    baseUrl: baseUrl || undefined,
    apiKey: apiKey || undefined,
    model,
    replacesUnknownModels: true,
    timeoutMs,
  });
}
