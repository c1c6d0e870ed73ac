import { parseExact } from '../common/text/exact-json.js';
import { withoutNul } from '../common/text/storable-text.js';
import type { ChatMessage, ChatModel, TokenUsage, ToolCall } from '../providers/llm/chat-model.js';
import { ModelError } from '../providers/llm/model-error.js';
import type { ModelRef } from './assistant-snapshot.js';
import type { CallControls } from './tools/call-controls.js';
import type { CompiledAssistant } from './compile-assistant.js';
import { type FunctionCall, functionCall } from './function-call.js';
import type { HandOver } from './tools/handoff-target.js';
import type { Handoffs, Speaker } from './handoff/handoffs.js';
import { KNOWLEDGE_TOOL_NAME, passagesFor } from './tools/knowledge-tool.js';
import {
  callableName,
  errorOutcome,
  type ToolContext,
  type ToolEffect,
  type ToolOrigin,
  type ToolOutcome,
} from './tools/tool.js';
import type { Variables } from './variables.js';

export type { FunctionCall } from './function-call.js';

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
  /** Null when the assistant speaks without being asked. */
  readonly message: string | null;
  /** An instruction for this turn alone. */
  readonly note?: string;
  readonly variables: Variables;
  /** As in Speaker. */
  readonly toolVariables: Variables;
  readonly limits: TurnLimits;
  /** Ends the turn, its tools included. */
  readonly signal: AbortSignal;
  readonly listener?: TurnListener;
  /** Called for an unexpected error of a tool, or of a search for passages; the turn continues. */
  readonly onToolError?: (tool: string, error: unknown) => void;
  /** The call or chat, for tools; left out in simulations. */
  readonly origin?: ToolOrigin;
  /** The line, for the tools of calls. */
  readonly call?: CallControls;
  /** Left out: no assistant can take over. */
  readonly handoffs?: Handoffs;
}

/** Hears of a turn while it happens. */
export interface TurnListener {
  onText(delta: string): void;
  /**
   * What was heard so far does not count: the model is asked again, or another one, or the words were a thought.
   *
   * @param kept the words that count all the same, as those of hand-overs; what comes next follows them
   */
  onRestart(kept: string): void;
  onFunctionCall(call: FunctionCall): void;
  /** Another assistant has the customer now: its words come next. */
  onHandoff?(speaker: Speaker): void;
  /** Hears of each request to a model that was answered to its end; null where the provider does not count. */
  onUsage?(model: string, usage: TokenUsage | null): void;
}

export interface ChatTurnResult {
  /** All the model said in the turn, before its tool calls and after; at most 32,768 characters. */
  readonly text: string;
  /** In the order of the calls. */
  readonly functionCalls: readonly FunctionCall[];
  readonly effects: readonly ToolEffect[];
  /** The assistant at the end of the turn, where another one has taken over in it. */
  readonly handedTo?: Speaker;
}

const MAX_TEXT_LENGTH = 32_768;
/** Calls of one step that are looked at; the first of them run, as `maxToolsPerStep` says, the rest are refused. */
const MAX_CALLS_PER_STEP = 64;
const MAX_ARGUMENTS_LENGTH = 100_000;

/**
 * One turn of a chat: model → tool calls, in parallel where it asks for several → model … → answer. When the model
 * fails, the turn goes on once more on the fallback model; where there is none, on the same model if tools have run.
 * Tools that have already run are not run again. When the assistant hands over, the one that takes over ends the
 * turn, with its own prompt, tools and model.
 *
 * @throws ModelError when no model could answer
 */
export async function runChatTurn(input: ChatTurnInput): Promise<ChatTurnResult> {
  const turn = new ChatTurn(input, await openingMessages(input));
  try {
    return await turn.run('model');
  } catch (error) {
    if (!(error instanceof ModelError) || !turn.mayGoOnAfter(error) || input.signal.aborted) throw error;
    const kept = turn.forgetText();
    input.listener?.onRestart(kept);
    return await turn.run('fallbackModel');
  }
}

async function openingMessages(input: ChatTurnInput): Promise<ChatMessage[]> {
  const { history, message, note } = input;
  return [
    await systemMessage(input, input),
    ...history.filter(hasContent),
    ...(message === null ? [] : [{ role: 'user' as const, content: message }]),
    ...(note === undefined ? [] : [{ role: 'system' as const, content: note }]),
  ];
}

/** Some model servers refuse a conversation with an empty message. */
function hasContent(message: ChatMessage): boolean {
  return message.content.trim() !== '' || (message.role === 'assistant' && message.toolCalls !== undefined);
}

/** The instructions of the current assistant, and the passages that it knows about the message. */
async function systemMessage(
  { assistant, variables }: Speaker,
  { message, signal, onToolError }: Pick<ChatTurnInput, 'message' | 'signal' | 'onToolError'>,
): Promise<ChatMessage> {
  const passages = await passagesFor(assistant.knowledge, message, signal, (error) =>
    onToolError?.(KNOWLEDGE_TOOL_NAME, error),
  );
  return { role: 'system', content: assistant.instructions(variables) + passages };
}

/** A call with its result. */
interface AnsweredCall {
  /** As the model is shown it again. */
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
  readonly functionCall: FunctionCall;
}

class ChatTurn {
  private readonly functionCalls: FunctionCall[] = [];
  private readonly effects: ToolEffect[] = [];
  private step = 0;
  private text = '';
  /** Whether the current assistant has said anything. */
  private hasSpoken = false;
  private handedTo: Speaker | null = null;
  /** What was said at the hand-overs of this turn. */
  private readonly farewells: string[] = [];
  /** Who takes over when the tools of this step have run. */
  private next: (Speaker & { readonly message: string }) | 'looked-for' | null = null;

  constructor(
    private readonly input: ChatTurnInput,
    private readonly messages: ChatMessage[],
  ) {}

  get speaker(): Speaker {
    return this.handedTo ?? this.input;
  }

  /** @param choice which model of the current assistant; one that takes over has its own */
  async run(choice: 'model' | 'fallbackModel'): Promise<ChatTurnResult> {
    for (;;) {
      const { assistant } = this.speaker;
      const { text, toolCalls } = await this.ask(assistant[choice] ?? assistant.model);
      if (text.trim() !== '') this.hasSpoken = true;
      if (toolCalls.length === 0) return this.end();
      this.step++;
      const answers = await Promise.all(toolCalls.map((call, index) => this.call(call, index)));
      this.functionCalls.push(...answers.map((answer) => answer.functionCall));
      this.effects.push(...answers.flatMap(({ outcome: { effect } }) => (effect ? [effect] : [])));
      this.messages.push(
        { role: 'assistant', content: text, toolCalls: answers.map(({ call }) => call) },
        ...answers.map(({ call: { id, name }, outcome: { content } }): ChatMessage => {
          return { role: 'tool', toolCallId: id, name, content };
        }),
      );
      await this.changeSpeaker();
    }
  }

  /** Without a fallback model the same one is asked again, where the next turn would run tools a second time. */
  mayGoOnAfter({ code, retryable }: ModelError): boolean {
    if (code === 'aborted') return false;
    return this.speaker.assistant.fallbackModel !== null || (retryable && this.functionCalls.length > 0);
  }

  /**
   * Tools that have run, and what they answered, stay, as do hand-overs.
   *
   * @returns what stays of the text: the words of hand-overs
   */
  forgetText(): string {
    this.hasSpoken = false;
    this.text = this.farewells.join('\n\n').slice(0, MAX_TEXT_LENGTH);
    return this.text;
  }

  /** @throws ModelError when nothing was said, and nothing was done that would need no words */
  private end(): ChatTurnResult {
    const { functionCalls, effects, handedTo } = this;
    if (!this.hasSpoken && effects.length === 0) throw new ModelError('malformed');
    return { text: this.text.toWellFormed(), functionCalls, effects, ...(handedTo ? { handedTo } : {}) };
  }

  /** What was said so far stays in the conversation; who takes over reads it under its own prompt. */
  private async changeSpeaker(): Promise<void> {
    const { next } = this;
    this.next = null;
    if (next === null || next === 'looked-for') return;
    const { message, ...speaker } = next;
    const farewell = this.say(message, true);
    if (farewell !== '') this.farewells.push(farewell);
    this.handedTo = speaker;
    this.hasSpoken = false;
    this.messages.splice(0, 1, await systemMessage(speaker, this.input));
    this.input.listener?.onHandoff?.(speaker);
  }

  private async ask({ code, reasoningEffort }: ModelRef): Promise<{ text: string; toolCalls: ToolCall[] }> {
    const { chatModel, limits, signal } = this.input;
    const { assistant } = this.speaker;
    const mayCall = this.step < limits.maxToolSteps;
    const tools = [...assistant.tools.values()].map(({ definition }) => definition);
    const toolCalls: ToolCall[] = [];
    const before = this.text;
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
        text += this.say(chunk.text, text === '');
        // Leaving the stream ends the request.
        if (this.text.length >= MAX_TEXT_LENGTH) break;
      } else if (chunk.type === 'retract') {
        text = '';
        this.text = before;
        this.input.listener?.onRestart(before);
      } else if (chunk.type === 'tool-call' && mayCall && toolCalls.length < MAX_CALLS_PER_STEP) {
        toolCalls.push(chunk.toolCall);
      } else if (chunk.type === 'finish') this.input.listener?.onUsage?.(code, chunk.usage);
    }
    return { text, toolCalls };
  }

  /** Adds to the answer what still fits, words of a new step in a new paragraph; returns the words. */
  private say(delta: string, isNewStep: boolean): string {
    const words = withoutNul(delta);
    if (words === '') return '';
    const paragraph = isNewStep && this.text !== '' ? '\n\n' : '';
    const fitting = (paragraph + words).slice(0, MAX_TEXT_LENGTH - this.text.length);
    this.text += fitting;
    this.input.listener?.onText(fitting);
    return words;
  }

  private async call(call: ToolCall, index: number): Promise<AnsweredCall> {
    const args = argumentsOf(call);
    const outcome = await this.outcomeOf(call, args, index);
    if (outcome.cause !== undefined) this.input.onToolError?.(call.name, outcome.cause);
    const shown = functionCall(call.name, args ?? {}, outcome.result);
    this.input.listener?.onFunctionCall(shown);
    return { call: repeatable(call, args), outcome, functionCall: shown };
  }

  private async outcomeOf(
    call: ToolCall,
    args: Readonly<Record<string, unknown>> | null,
    index: number,
  ): Promise<ToolOutcome> {
    const { call: line, handoffs, limits, origin, signal } = this.input;
    const { assistant, variables, toolVariables } = this.speaker;
    // Only the assistant's own tools exist: a model, or an attacker who steers it, cannot name another's.
    const tool = assistant.tools.get(call.name);
    if (!tool) return errorOutcome('There is no tool of that name.');
    if (index >= limits.maxToolsPerStep) return errorOutcome('Too many tools were called at once.');
    if (args === null) return errorOutcome('The arguments are not a JSON object, or too long.');
    const context: ToolContext = {
      variables: toolVariables,
      spokenVariables: variables,
      signal,
      ...(origin ? { origin } : {}),
      ...(line ? { call: line } : {}),
      ...(handoffs ? { handOver: this.handOver(handoffs) } : {}),
    };
    return tool.run(args, context);
  }

  /** Of several hand-overs that a model asks for at once, the first one that succeeds counts. */
  private handOver(handoffs: Handoffs): HandOver {
    return async (target) => {
      if (this.next !== null) return { refused: 'The customer is being handed over already.' };
      this.next = 'looked-for';
      const taken = await handoffs.take(target).finally(() => (this.next = null));
      if ('refused' in taken) return taken;
      this.next = { ...taken, message: target.message };
      const { assistant, variables } = taken;
      return { id: assistant.id, name: assistant.name, greeting: assistant.greeting(variables) };
    };
  }
}

/** Model servers refuse a history with impossible names or broken arguments, though a model made them up. */
function repeatable(
  { name, arguments: json, ...others }: ToolCall,
  args: Readonly<Record<string, unknown>> | null,
): ToolCall {
  return {
    ...others,
    name: callableName(name),
    arguments: args === null || json.trim() === '' ? '{}' : json,
  };
}

function argumentsOf({ arguments: json }: ToolCall): Readonly<Record<string, unknown>> | null {
  if (json.length > MAX_ARGUMENTS_LENGTH) return null;
  if (json.trim() === '') return {};
  try {
    const value = parseExact(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
