import type { ChatMessage, ChatModel, ToolCall } from '../providers/llm/chat-model.js';
import { ModelError } from '../providers/llm/model-error.js';
import type { ModelRef } from './assistant-snapshot.js';
import type { CompiledAssistant } from './compile-assistant.js';
import { passagesPrompt } from './knowledge-tool.js';
import { errorOutcome, type ToolContext, type ToolEffect, type ToolOutcome } from './tool.js';
import type { Variables } from './variables.js';

/** A function the model called, as the API shows it. */
export interface FunctionCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
}

export interface TurnLimits {
  /** Rounds of tool calls before the model has to answer in words. */
  readonly maxToolSteps: number;
  readonly maxToolsPerStep: number;
}

export interface ChatTurnInput {
  readonly assistant: CompiledAssistant;
  readonly chatModel: ChatModel;
  /** Oldest first, without the message to answer. */
  readonly history: readonly ChatMessage[];
  readonly message: string;
  readonly variables: Variables;
  readonly limits: TurnLimits;
  /** Ends the turn, its tools included. */
  readonly signal: AbortSignal;
  readonly listener?: TurnListener;
}

/** Hears of a turn while it happens. */
export interface TurnListener {
  onText(delta: string): void;
  /** What was heard so far does not count: the turn begins again on the fallback model. */
  onRestart(): void;
  onFunctionCall(call: FunctionCall): void;
}

export interface ChatTurnResult {
  readonly text: string;
  readonly functionCalls: readonly FunctionCall[];
  readonly effects: readonly ToolEffect[];
}

/**
 * One turn of a chat: model → tool calls, in parallel where it asks for several → model … → answer. When the model
 * fails, the turn runs once more on the fallback model, if there is one; tools that have already run are not run again.
 *
 * @throws ModelError when no model could answer
 */
export async function runChatTurn(input: ChatTurnInput): Promise<ChatTurnResult> {
  const turn = new ChatTurn(input, await openingMessages(input));
  const { model, fallbackModel } = input.assistant;
  try {
    return await turn.run(model);
  } catch (error) {
    if (!(error instanceof ModelError) || error.code === 'aborted' || !fallbackModel) throw error;
    input.listener?.onRestart();
    return turn.run(fallbackModel);
  }
}

async function openingMessages({
  assistant,
  history,
  message,
  variables,
  signal,
}: ChatTurnInput): Promise<ChatMessage[]> {
  const { knowledge } = assistant;
  const passages = knowledge?.mode === 'prompt' ? await knowledge.search(message, signal) : [];
  return [
    { role: 'system', content: assistant.instructions(variables) + passagesPrompt(passages) },
    ...history,
    { role: 'user', content: message },
  ];
}

class ChatTurn {
  private readonly functionCalls: FunctionCall[] = [];
  private readonly effects: ToolEffect[] = [];
  private step = 0;

  constructor(
    private readonly input: ChatTurnInput,
    private readonly messages: ChatMessage[],
  ) {}

  async run(model: ModelRef): Promise<ChatTurnResult> {
    for (;;) {
      const { text, toolCalls } = await this.ask(model);
      if (toolCalls.length === 0) return { text, functionCalls: this.functionCalls, effects: this.effects };
      this.step++;
      const outcomes = await Promise.all(toolCalls.map((call, index) => this.call(call, index)));
      this.messages.push(
        { role: 'assistant', content: text, toolCalls },
        ...toolCalls.map(({ id, name }, index): ChatMessage => {
          return { role: 'tool', toolCallId: id, name, content: outcomes[index]?.content ?? '' };
        }),
      );
    }
  }

  private async ask({ code, reasoningEffort }: ModelRef): Promise<{ text: string; toolCalls: ToolCall[] }> {
    const { assistant, chatModel, limits, signal, listener } = this.input;
    const mayCall = this.step < limits.maxToolSteps;
    const tools = [...assistant.tools.values()].map(({ definition }) => definition);
    const toolCalls: ToolCall[] = [];
    let text = '';
    const stream = chatModel.stream(
      {
        model: code,
        ...(reasoningEffort ? { reasoningEffort } : {}),
        messages: this.messages,
        tools,
        ...(mayCall ? {} : { toolChoice: 'none' as const }),
        temperature: assistant.temperature,
      },
      { signal },
    );
    for await (const chunk of stream) {
      if (chunk.type === 'text') {
        text += chunk.text;
        listener?.onText(chunk.text);
      } else if (chunk.type === 'tool-call' && mayCall) {
        toolCalls.push(chunk.toolCall);
      }
    }
    return { text, toolCalls };
  }

  private async call(call: ToolCall, index: number): Promise<ToolOutcome> {
    const args = argumentsOf(call);
    const outcome = await this.outcomeOf(call, args, index);
    const functionCall = { name: call.name, arguments: args ?? {}, result: outcome.result };
    this.functionCalls.push(functionCall);
    if (outcome.effect) this.effects.push(outcome.effect);
    this.input.listener?.onFunctionCall(functionCall);
    return outcome;
  }

  private async outcomeOf(
    call: ToolCall,
    args: Readonly<Record<string, unknown>> | null,
    index: number,
  ): Promise<ToolOutcome> {
    const { assistant, limits, signal, variables } = this.input;
    // Only the assistant's own tools exist: a model, or whoever steers it, cannot name another's.
    const tool = assistant.tools.get(call.name);
    if (!tool) return errorOutcome('There is no tool of that name.');
    if (index >= limits.maxToolsPerStep) return errorOutcome('Too many tools were called at once.');
    if (args === null) return errorOutcome('The arguments are not a JSON object.');
    const context: ToolContext = { variables, signal };
    return tool.run(args, context);
  }
}

function argumentsOf({ arguments: json }: ToolCall): Readonly<Record<string, unknown>> | null {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
