import type { llm } from '@livekit/agents';
import { parseExact } from '../../common/text/exact-json.js';
import type { ChatModel, ChatRequest, TokenUsage, ToolDefinition } from '../../providers/llm/chat-model.js';
import { ModelError } from '../../providers/llm/model-error.js';
import type { ModelRef } from '../../runtime/assistant-snapshot.js';
import { chatMessages } from './chat-messages.js';

/** The customer waits in this time, and the model that speaks may still ask them. */
const TIMEOUT_MS = 8_000;

export type GivenArguments = Readonly<Record<string, unknown>>;

export interface ArgumentsRepairOptions {
  readonly chatModel: ChatModel;
  /** The assistant's fallback LLM. */
  readonly model: ModelRef;
  readonly temperature: number;
  /** The assistant's own. */
  readonly instructions: string;
  onUsage(model: string, usage: TokenUsage | null): void;
  onError(error: unknown): void;
}

/** A call of a tool whose arguments were refused before the tool did anything. */
export interface RefusedCall {
  readonly tool: ToolDefinition;
  readonly given: GivenArguments;
  /** What was wrong, in a sentence for a model. */
  readonly problem: string;
  /** What was said so far, as the engine keeps it. */
  readonly conversation: readonly llm.ChatItem[];
}

/**
 * Models that speak are worse at calling tools than models that write: where their arguments are refused, the assistant's
 * fallback LLM reads the conversation and calls the tool in their place.
 */
export class ArgumentsRepair {
  constructor(private readonly options: ArgumentsRepairOptions) {}

  /** Other arguments for the same tool; null where the model has none, or fails. Never throws. */
  async repaired(call: RefusedCall, signal: AbortSignal): Promise<GivenArguments | null> {
    const { options } = this;
    const { chatModel, model } = options;
    let repaired: GivenArguments | null = null;
    try {
      for await (const chunk of chatModel.stream(this.requestFor(call), { signal, timeoutMs: TIMEOUT_MS })) {
        if (chunk.type === 'finish') options.onUsage(model.code, chunk.usage);
        else if (chunk.type === 'tool-call' && chunk.toolCall.name === call.tool.name)
          repaired ??= objectOf(chunk.toolCall.arguments);
      }
      return repaired;
    } catch (error) {
      const isOver = signal.aborted || (error instanceof ModelError && error.code === 'aborted');
      if (!isOver) options.onError(error);
      return null;
    }
  }

  private requestFor({ tool, given, problem, conversation }: RefusedCall): ChatRequest {
    const { model, temperature, instructions } = this.options;
    const said = conversation.filter((item) => item.type !== 'message' || item.role !== 'system');
    const note =
      `The tool ${tool.name} was called with ${JSON.stringify(given)}, which was refused: ${problem} ` +
      'Call it with the right arguments, as the customer has given them.';
    return {
      model: model.code,
      ...(model.reasoningEffort ? { reasoningEffort: model.reasoningEffort } : {}),
      messages: [
        { role: 'system', content: instructions },
        ...chatMessages(said),
        { role: 'system', content: note },
      ],
      tools: [tool],
      // It may have to answer in words: what the customer has not said is not to be made up.
      toolChoice: 'auto',
      temperature,
    };
  }
}

function objectOf(json: string): GivenArguments | null {
  try {
    const value = parseExact(json.trim() === '' ? '{}' : json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as GivenArguments)
      : null;
  } catch {
    return null;
  }
}
