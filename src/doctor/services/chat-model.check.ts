import type { ModelConfig } from '../../config/config.js';
import { checkChatKey } from '../../providers/llm/account-keys/chat-key-check.js';
import { OpenAiChatModel } from '../../providers/llm/openai/openai-chat-model.js';
import { type Check, type Finding, warning } from '../check.js';
import { keyFinding } from './key-finding.js';

const ANSWER_MS = 8_000;

/** Whether the server of the chat model takes the key of the installation. It asks for the list of models, which costs nothing. */
export class ChatModelCheck implements Check {
  readonly name = 'model';

  constructor(private readonly config: ModelConfig) {}

  async run(): Promise<readonly Finding[]> {
    const { baseUrl, apiKey, timeoutMs } = this.config;
    if (!baseUrl && !apiKey) {
      return [
        warning(
          'Chat answers come from the sandbox, which is no neural network: set OPENAI_API_KEY or OPENAI_BASE_URL.',
        ),
      ];
    }
    const model = new OpenAiChatModel({
      baseUrl: baseUrl || undefined,
      apiKey: apiKey || undefined,
      timeoutMs,
    });
    try {
      const check = await checkChatKey(() => model.check(ANSWER_MS));
      const server = baseUrl ? `The model server at ${new URL(baseUrl).host}` : 'OpenAI';
      return [keyFinding(check, server, 'OPENAI_API_KEY and OPENAI_BASE_URL')];
    } finally {
      await model.close();
    }
  }
}
