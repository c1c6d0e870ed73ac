/**
 * The port through which an assistant asks a language model for its next turn.
 *
 * It is kept close to `llm.LLM` of @livekit/agents, so that the voice role can wrap it: messages, tool calls with an
 * id, streamed deltas, an abort signal. The API process need not load that package, which takes 0.7 s and 144 MB.
 */
export interface ChatModel {
  readonly provider: ChatModelProvider;
  readonly capabilities: ChatModelCapabilities;

  /**
   * Asks for one assistant turn. Nothing is sent before the first chunk is read.
   *
   * Text deltas come first and in order, then the complete tool calls, then exactly one `finish`
   * chunk, which is the last. `retract` may come between text deltas: all text before it was no answer.
   * A model's thoughts and calls that it wrote as text are in no text delta. Leaving the loop early cancels the request. There are no retries:
   * the caller knows what has already been shown or spoken.
   *
   * @throws ModelError and nothing else.
   */
  stream(request: ChatRequest, options?: ChatStreamOptions): AsyncIterable<ChatChunk>;
}

/** `sandbox` is no neural network; pages that show an answer's metadata say so. */
export type ChatModelProvider = 'openai-compatible' | 'sandbox';

interface ChatModelCapabilities {
  /** Text arrives while it is being made, not all at the end. */
  readonly streaming: boolean;
  /** One turn may call several tools. */
  readonly parallelToolCalls: boolean;
}

export interface ChatRequest {
  /** The provider's own name of the model. */
  readonly model: string;
  /** How much a reasoning model may think; left out for models that know no such setting. */
  readonly reasoningEffort?: ReasoningEffort;
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  /** `auto` when left out. */
  readonly toolChoice?: ToolChoice;
  /** 0 to 1; left out for the models that accept none. */
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high';

export interface ChatStreamOptions {
  readonly signal?: AbortSignal;
  /** For the whole turn, from the request to the finish chunk; the adapter's own when left out. */
  readonly timeoutMs?: number;
}

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

interface UserMessage {
  readonly role: 'user';
  readonly content: string;
}

interface AssistantMessage {
  readonly role: 'assistant';
  /** Empty when the turn was tool calls alone. */
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
}

export interface ToolResultMessage {
  readonly role: 'tool';
  /** The id of the call this answers. */
  readonly toolCallId: string;
  readonly name: string;
  readonly content: string;
}

export interface ToolDefinition {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type `object`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** `required`: call at least one tool. `none`: answer in text. */
export type ToolChoice = 'auto' | 'none' | 'required';

export interface ToolCall {
  /** Unique within its turn. */
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it: meant to be an object, but not checked, so parse with care. */
  readonly arguments: string;
  /** Sent back unchanged with the call; left out where the provider needs nothing. */
  readonly providerFields?: ProviderFields;
}

/**
 * What a provider sent with a call beyond the port, and demands back: Gemini's `thought_signature`, DeepSeek's
 * `reasoning_content`. Never shown and never stored, because it may be a thought.
 */
export interface ProviderFields {
  /** Of the call. */
  readonly call?: Readonly<Record<string, unknown>>;
  /** Of the `function` within the call. */
  readonly function?: Readonly<Record<string, unknown>>;
  /** Of the message with the calls; the first call of the message carries them. */
  readonly message?: Readonly<Record<string, unknown>>;
}

export type ChatChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'retract' }
  | { readonly type: 'tool-call'; readonly toolCall: ToolCall }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: TokenUsage | null };

/** `length`: the text was cut at the output limit. `content-filter`: the provider withheld the rest. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

/** What the provider counted for one request, in whole tokens. */
export interface TokenUsage {
  readonly inputTokens: number;
  /** Those of the input that the provider had kept from requests before; null where it does not tell. */
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number;
}
