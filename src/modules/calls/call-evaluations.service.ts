import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { ModelConfig } from '../../config/config.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import { evaluateCall } from '../../runtime/call/call-evaluation.js';
import type { Evaluation } from '../../runtime/call/evaluation.js';
import { CallAssistants } from './call-assistants.service.js';
import { CallEndings } from './call-endings.service.js';
import { CallRunsRepository } from './call-runs.repository.js';
import type { Call } from './call.entity.js';

/** The work after a call. */
@Injectable()
export class CallEvaluations {
  constructor(
    private readonly runs: CallRunsRepository,
    private readonly assistants: CallAssistants,
    private readonly models: ChatModelRegistry,
    private readonly endings: CallEndings,
    private readonly config: ModelConfig,
    private readonly logger: Logger,
  ) {}

  /** Evaluates a call whose talk is over, and completes it; nothing when that is done. */
  async complete(callId: number): Promise<void> {
    const found = await this.runs.find(callId);
    if (found?.run.stage !== 'evaluating') return;
    await this.endings.evaluated(found.call, await this.evaluate(found.call));
  }

  /** A call whose assistant is gone meanwhile has nobody to say what it was for. */
  private async evaluate(call: Call): Promise<Evaluation> {
    const assistant = await this.assistants.findRuntime(call);
    if (!assistant) return {};
    const { config, language } = assistant;
    const { code, reasoning_effort: reasoningEffort } = assistant.chatModel;
    return evaluateCall({
      chatModel: this.models.select(),
      model: reasoningEffort ? { code, reasoningEffort } : { code },
      instructions: config.system_prompt,
      language: language?.iso_2 ?? 'pt',
      transcript: call.transcript,
      answeredBy: call.answeredBy,
      fields: config.post_call_schema,
      signal: AbortSignal.timeout(2 * this.config.timeoutMs),
      onError: (err) => this.logger.warn('call not evaluated', { callId: call.id, err }),
    });
  }
}
