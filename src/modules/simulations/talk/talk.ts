import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import type { ChatMessage, ChatModel, TokenUsage } from '../../../providers/llm/chat-model.js';
import { type FunctionCall, runChatTurn, type TurnLimits } from '../../../runtime/chat-turn.js';
import type { CompiledAssistant } from '../../../runtime/compile-assistant.js';
import { type EarlierMessage, earlierMessages } from '../../../runtime/history/earlier-messages.js';

/** What one side has said. */
export interface TalkTurn {
  readonly role: 'customer' | 'assistant';
  readonly text: string;
  /** Of the assistant, in the order of the calls. */
  readonly function_calls: readonly FunctionCall[];
}

/** Who had no more to say, or that there were no more turns. */
export const TALK_ENDS = ['assistant', 'customer', 'max_turns'] as const;
export type TalkEnd = (typeof TALK_ENDS)[number];

/** What a customer says next. */
export interface CustomerLine {
  /** Null when there is nothing left to say. */
  readonly text: string | null;
  /** The customer leaves after these words. */
  readonly leaves: boolean;
}

/** Plays the customer. */
export interface CustomerVoice {
  /** @param said all that was said, oldest first */
  next(said: readonly TalkTurn[], signal: AbortSignal): Promise<CustomerLine>;
}

export interface TalkInput {
  readonly assistant: CompiledAssistant;
  readonly chatModel: ChatModel;
  readonly customer: CustomerVoice;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Messages of the customer. */
  readonly maxTurns: number;
  readonly limits: TurnLimits;
  /** Earlier messages that the model sees, as in any chat. */
  readonly historyMessages: number;
  readonly turnTimeoutMs: number;
  /** Ends the conversation. */
  readonly signal: AbortSignal;
  readonly onUsage: (usage: TokenUsage | null) => void;
  readonly onToolError: (tool: string, error: unknown) => void;
  /** Hears of each turn that is over, before the next begins. */
  readonly onTurn: (said: readonly TalkTurn[]) => Promise<void>;
}

export interface SimulatedConversation {
  readonly said: readonly TalkTurn[];
  readonly endedBy: TalkEnd;
}

/**
 * A conversation between an assistant and a simulated customer. Nothing of it is stored here; only the caller
 * receives it.
 *
 * @throws ModelError when a model could not answer, and the errors of `onTurn`
 */
export async function simulateTalk(input: TalkInput): Promise<SimulatedConversation> {
  const { assistant, customer, maxTurns, signal, onTurn } = input;
  const said: TalkTurn[] = [];
  const greeting = assistant.greeting(variablesOf(input));
  if (greeting !== '') said.push(by('assistant', greeting));
  for (let turn = 0; turn < maxTurns; turn++) {
    const { text, leaves } = await customer.next(said, signal);
    if (text === null) return { said, endedBy: 'customer' };
    const history = earlierMessages(
      said.slice(-input.historyMessages).map(toEarlier),
      assistant.tools.size > 0,
    );
    said.push(by('customer', text));
    const { text: answer, functionCalls, effects } = await answerTo(text, history, input);
    said.push({ ...by('assistant', answer), function_calls: functionCalls });
    await onTurn(said);
    if (effects.includes('end-conversation')) return { said, endedBy: 'assistant' };
    if (leaves) return { said, endedBy: 'customer' };
  }
  return { said, endedBy: 'max_turns' };
}

function answerTo(message: string, history: readonly ChatMessage[], input: TalkInput) {
  const { assistant, chatModel, limits, signal, turnTimeoutMs, onToolError, onUsage } = input;
  const variables = variablesOf(input);
  return runChatTurn({
    assistant,
    chatModel,
    history,
    message,
    variables,
    toolVariables: variables,
    limits,
    signal: AbortSignal.any([timeoutSignal(turnTimeoutMs), signal]),
    onToolError,
    listener: {
      onText: () => undefined,
      onRestart: () => undefined,
      onFunctionCall: () => undefined,
      onUsage: (_model, usage) => onUsage(usage),
    },
  });
}

function variablesOf({ assistant, variables }: TalkInput) {
  return assistant.variablesOf({ variables, now: new Date() });
}

function by(role: TalkTurn['role'], text: string): TalkTurn {
  return { role, text, function_calls: [] };
}

function toEarlier({ role, text, function_calls: functionCalls }: TalkTurn, index: number): EarlierMessage {
  return { id: index, role: role === 'customer' ? 'user' : 'assistant', content: text, functionCalls };
}
