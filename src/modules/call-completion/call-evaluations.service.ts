import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { inCallSpan } from '../../common/observability/tracing.js';
import { timeoutSignal } from '../../common/time/timeout-signal.js';
import { ModelConfig } from '../../config/config.js';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import type { TokenUsage } from '../../providers/llm/chat-model.js';
import { addTokens, NO_TOKENS } from '../../common/figures/token-sum.js';
import { evaluateCall, nobodyKnows } from '../../runtime/call/evaluation/call-evaluation.js';
import { evaluateInTime } from '../../runtime/call/evaluation/evaluation-patience.js';
import type { Evaluation } from '../../runtime/call/evaluation/evaluation.js';
import { Handles } from '../../queues/workers/handles.js';
import type { PayloadOf } from '../../queues/job-definition.js';
import type { RuntimeAssistant } from '../assistants/assistants.service.js';
import { toModelRef } from '../assistants/settings/to-model-ref.js';
import { CallAssistantsService } from '../active-calls/call-assistants.service.js';
import { CallCompletionService } from './call-completion.service.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import type { StoredCall } from '../calls/call-facts.js';
import { CallFunctionCallsService } from '../calls/turns/call-function-calls.service.js';
import { evaluateCallJob } from './evaluate-call.job.js';

type OnUsage = (usage: TokenUsage | null) => void;

/**
 * The work after a call. It ends in any case: a model that does not answer is asked again, with growing waits, for
 * twice as long as one answer may take. Then the call completes with an unknown result.
 */
@Injectable()
export class CallEvaluationsService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly assistants: CallAssistantsService,
    private readonly functionCalls: CallFunctionCallsService,
    private readonly models: ChatModelRegistry,
    private readonly completion: CallCompletionService,
    private readonly config: ModelConfig,
    private readonly logger: Logger,
  ) {}

  /**
   * Evaluates a call whose talk is over, and completes it; nothing when that is done.
   *
   * @throws ModelError when the model does not answer, and there is time to ask again
   */
  @Handles(evaluateCallJob)
  async complete({ callId }: PayloadOf<typeof evaluateCallJob>): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (found?.active.stage !== 'evaluating') return;
    await inCallSpan(callId, 'call.evaluate', {}, async () => {
      let tokens = NO_TOKENS;
      const evaluation = await this.evaluationOf(found, (usage) => {
        tokens = addTokens(tokens, usage);
      });
      await this.completion.evaluated(found.call, evaluation, tokens);
    });
  }

  /** Completes a call that was not evaluated in time. */
  async completeUnevaluated(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (found?.active.stage !== 'evaluating') return;
    const assistant = await this.assistants.findRuntime(found.call);
    await this.completion.evaluated(
      found.call,
      assistant?.config.post_call_evaluation ? nobodyKnows(assistant.config.post_call_schema) : {},
    );
  }

  private async evaluationOf({ call }: RunningCall, onUsage: OnUsage): Promise<Evaluation> {
    const assistant = await this.assistants.findRuntime(call);
    // Without its assistant the purpose of a call is unknown; calls without an evaluation wait for their recording
    // alone.
    if (!assistant?.config.post_call_evaluation) return {};
    return evaluateInTime({
      ask: () => this.evaluate(call, assistant, onUsage),
      fields: assistant.config.post_call_schema,
      isTimeLeft: async () => {
        const ages = await this.activeCalls.agesOf(call.id);
        return ages !== null && ages.stageMs < this.timeMs;
      },
    });
  }

  private async evaluate(
    call: StoredCall,
    { config, language, chatModel }: RuntimeAssistant,
    onUsage: OnUsage,
  ): Promise<Evaluation> {
    return evaluateCall({
      chatModel: await this.models.select(call.userId),
      model: toModelRef(chatModel),
      instructions: config.system_prompt,
      language: language?.iso_2 ?? 'pt',
      transcript: call.transcript,
      functionCalls: await this.functionCalls.list(call.userId, call.id),
      answeredBy: call.answeredBy,
      fields: config.post_call_schema,
      signal: timeoutSignal(this.timeMs),
      onUsage,
      onError: (err) => this.logger.warn('call not evaluated', { callId: call.id, err }),
    });
  }

  private get timeMs(): number {
    return 2 * this.config.timeoutMs;
  }
}
