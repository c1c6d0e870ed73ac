import { Injectable } from '@nestjs/common';
import { EgressClient } from '../../../common/egress/egress-client.js';
import { ChatConfig } from '../../../config/config.js';
import type { TokenUsage } from '../../../providers/llm/chat-model.js';
import { ChatModelRegistry } from '../../../providers/llm/chat-model-registry.js';
import { compileAssistant } from '../../../runtime/compile-assistant.js';
import { ToolMeter } from '../../../runtime/tools/tool-meter.js';
import { AssistantSnapshotsService } from '../../assistants/assistant-snapshots.service.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { playedVoice, scriptedVoice } from '../talk/customer-voices.js';
import { withMockedTools } from '../talk/mocked-tools.js';
import { withRealTools } from '../talk/real-tools.js';
import type { Examiner } from '../talk/examiner.js';
import type { TalkInput } from '../talk/talk.js';
import type { BegunRun } from './simulation-runs.repository.js';

/** Who talks in a run, and by which rules. */
export interface Parties extends Pick<
  TalkInput,
  'assistant' | 'chatModel' | 'customer' | 'variables' | 'limits' | 'historyMessages' | 'turnTimeoutMs'
> {
  /** Who is asked about it afterwards. */
  readonly examiner: Omit<Examiner, 'signal' | 'onUsage' | 'onError'>;
}

/** Makes the assistant of a run, with the prompt that is tried, and its customer. */
@Injectable()
export class SimulatedPartiesService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly snapshots: AssistantSnapshotsService,
    private readonly models: ChatModelRegistry,
    private readonly egress: EgressClient,
    private readonly toolMeter: ToolMeter,
    private readonly config: ChatConfig,
  ) {}

  /**
   * Null when the assistant is gone.
   *
   * @param beforeRealCall waited for before each call of a tool that is not mocked and may touch something outside
   */
  async of(
    { userId, assistantId, systemPrompt, scenario }: BegunRun,
    onUsage: (usage: TokenUsage | null) => void,
    beforeRealCall: () => Promise<void>,
  ): Promise<Parties | null> {
    const found = await this.assistants.findRuntime(userId, assistantId);
    if (!found) return null;
    const snapshot = { ...(await this.snapshots.take(found)), systemPrompt };
    const compiled = compileAssistant(snapshot, 'chat', this.egress, this.toolMeter);
    const ownTools = new Set([
      ...snapshot.httpTools.map(({ name }) => name),
      ...snapshot.mcpTools.map(({ functionName }) => functionName),
    ]);
    const chatModel = await this.models.select(userId);
    const { turnTimeoutMs: timeoutMs, historyMessages } = this.config;
    const { customer } = scenario;
    return {
      assistant:
        scenario.tools === 'real'
          ? withRealTools(compiled, ownTools, beforeRealCall)
          : withMockedTools(compiled, scenario.mock_results, ownTools),
      chatModel,
      customer:
        customer.type === 'script'
          ? scriptedVoice(customer)
          : playedVoice(customer, { chatModel, model: snapshot.model, timeoutMs, onUsage }),
      examiner: {
        chatModel,
        model: snapshot.model,
        instructions: systemPrompt,
        language: found.language?.iso_2 ?? 'pt',
        fields: found.config.post_call_schema,
      },
      variables: scenario.variables,
      limits: this.config,
      historyMessages,
      turnTimeoutMs: timeoutMs,
    };
  }
}
