import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import { ModelConfig } from '../../../config/config.js';
import { ChatModelRegistry } from '../../../providers/llm/chat-model-registry.js';
import type { TokenUsage } from '../../../providers/llm/chat-model.js';
import { evaluateCall, nobodyKnows } from '../../../runtime/call/evaluation/call-evaluation.js';
import { evaluateInTime } from '../../../runtime/call/evaluation/evaluation-patience.js';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import { AssistantsService, type RuntimeAssistant } from '../../assistants/assistants.service.js';
import { toModelRef } from '../../assistants/settings/to-model-ref.js';
import type { Message } from '../message.entity.js';
import type { ConversationEnding } from './conversation-ending.entity.js';
import { ConversationEndingsRepository } from './conversation-endings.repository.js';
import { formattedTranscript } from './formatted-transcript.js';

type OnUsage = (usage: TokenUsage | null) => void;

/** Of a transcript; more would not fit into the context of small models. The end is what tells how it went. */
const MAX_TRANSCRIPT_LENGTH = 48_000;
/** A conversation that is not evaluated by then gets the result `unknown`, as calls do. */
const MAX_WAIT_MS = 600_000;

/** Evaluates what was said in a conversation that has ended, as calls are evaluated. */
@Injectable()
export class ConversationEvaluationsService {
  constructor(
    private readonly endings: ConversationEndingsRepository,
    private readonly assistants: AssistantsService,
    private readonly models: ChatModelRegistry,
    private readonly config: ModelConfig,
    private readonly logger: Logger,
  ) {}

  /**
   * Empty when the conversation is not to be evaluated.
   *
   * @param assistantId null when it was deleted, so that the purpose of the conversation is unknown
   * @throws ModelError when the model does not answer, and there is time to ask again
   */
  async evaluate(
    ending: ConversationEnding,
    assistantId: number | null,
    messages: readonly Message[],
    onUsage: OnUsage,
  ): Promise<Evaluation> {
    if (!ending.isEvaluated || assistantId === null) return {};
    const assistant = await this.assistants.findRuntime(ending.userId, assistantId);
    if (!assistant) return {};
    const { post_call_schema: fields } = assistant.config;
    if (!(await this.isYounger(ending, MAX_WAIT_MS))) return nobodyKnows(fields);
    return evaluateInTime({
      ask: () => this.ask(ending, assistant, messages, onUsage),
      fields,
      isTimeLeft: () => this.isYounger(ending, this.timeMs),
    });
  }

  private async ask(
    { userId, conversationId }: ConversationEnding,
    { config, language, chatModel }: RuntimeAssistant,
    messages: readonly Message[],
    onUsage: OnUsage,
  ): Promise<Evaluation> {
    return evaluateCall({
      channel: 'chat',
      chatModel: await this.models.select(userId),
      model: toModelRef(chatModel),
      instructions: config.system_prompt,
      language: language?.iso_2 ?? 'pt',
      transcript: formattedTranscript(messages).slice(-MAX_TRANSCRIPT_LENGTH).toWellFormed(),
      answeredBy: 'human',
      fields: config.post_call_schema,
      signal: timeoutSignal(this.timeMs),
      onUsage,
      onError: (err) => this.logger.warn('conversation not evaluated', { conversationId, err }),
    });
  }

  private async isYounger(ending: ConversationEnding, ageMs: number): Promise<boolean> {
    const age = await this.endings.ageOf(ending);
    return age !== null && age < ageMs;
  }

  private get timeMs(): number {
    return 2 * this.config.timeoutMs;
  }
}
