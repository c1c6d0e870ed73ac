import { llm, type APIConnectOptions, DEFAULT_API_CONNECT_OPTIONS } from '@livekit/agents';
import { withExactNumbers } from '../../common/text/exact-json.js';
import { withoutNul } from '../../common/text/storable-text.js';
import type {
  ChatChunk,
  ChatMessage,
  ChatModel,
  ChatRequest,
  TokenUsage,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../providers/llm/chat-model.js';
import { ModelError } from '../../providers/llm/model-error.js';
import type { Knowledge, ModelRef } from '../../runtime/assistant-snapshot.js';
import type { WhisperFilter } from '../../runtime/call/whispers/whisper-filter.js';
import { passagesFor } from '../../runtime/tools/knowledge-tool.js';
import type { RuntimeTool } from '../../runtime/tools/tool.js';
import type { ToolResults } from './tool-results.js';
import { chatMessages, moveNote, PROVIDER_FIELDS } from './chat-messages.js';

/** What is said in one turn is cut here. */
const MAX_TEXT_LENGTH = 32_768;
const MAX_CALLS = 64;
/** Callers wait less on a phone than in a chat. */
const TURN_TIMEOUT_MS = 20_000;

/** A model that says nothing for so long is left where there is another one: every second of it is silence on the line. */
const SILENT_MODEL_MS = 8_000;

/** What models are asked with, and who hears of it. */
export interface ChatModelLlmOptions {
  readonly chatModel: ChatModel;
  readonly model: ModelRef;
  /** Asked when the first one fails. */
  readonly fallbackModel: ModelRef | null;
  readonly temperature: number;
  /** The assistant's own, as they are now; what the engine adds to them is a note for one turn. */
  readonly instructions: () => string;
  readonly tools: ReadonlyMap<string, RuntimeTool>;
  /** What the tools of the talk have answered; left out: what the conversation holds. */
  readonly results?: ToolResults;
  /** Removes from one answer what must not be said; null, or left out: nothing. */
  readonly whisperFilter?: () => WhisperFilter | null;
  /** Looked up for each message where its mode is `prompt`. */
  readonly knowledge: Knowledge | null;
  /** How long the first model may say nothing where there is another one; 8 s when absent. */
  readonly silentModelMs?: number;
  /** Whether the model may be asked now; left out: always. Else an answer is empty. */
  readonly mayAsk?: () => boolean;
  onUsage(model: string, usage: TokenUsage | null): void;
  /** A model failed and another is asked, or the documents could not be searched. */
  onError(error: unknown): void;
  /** No model answers; a ModelError, or an unexpected error. */
  onFailure(error: unknown): void;
}

/** Our chat models as an engine of @livekit/agents asks them: the same prompts, tools and fallback as in a chat. */
export class ChatModelLlm extends llm.LLM {
  constructor(readonly options: ChatModelLlmOptions) {
    super();
  }

  override label(): string {
    return 'prosa.ChatModel';
  }

  override get model(): string {
    return this.options.model.code;
  }

  override get provider(): string {
    return this.options.chatModel.provider;
  }

  override chat({
    chatCtx,
    toolCtx,
    toolChoice,
  }: {
    chatCtx: llm.ChatContext;
    toolCtx?: llm.ToolContextLike;
    connOptions?: APIConnectOptions;
    parallelToolCalls?: boolean;
    toolChoice?: llm.ToolChoice;
    extraKwargs?: Record<string, unknown>;
  }): llm.LLMStream {
    return new ChatModelStream(this, chatCtx, toolCtx, toolChoice);
  }
}

class ChatModelStream extends llm.LLMStream {
  private readonly options: ChatModelLlmOptions;
  private readonly turnId = llm.ChatMessage.create({ role: 'assistant', content: [] }).id;
  private text = '';
  private calls = 0;

  constructor(
    owner: ChatModelLlm,
    chatCtx: llm.ChatContext,
    toolCtx: llm.ToolContextLike | undefined,
    private readonly toolChoice: llm.ToolChoice | undefined,
  ) {
    // Retries are ours: the engine would say again what has been heard.
    super(owner, { chatCtx, toolCtx, connOptions: { ...DEFAULT_API_CONNECT_OPTIONS, maxRetry: 0 } });
    this.options = owner.options;
  }

  protected override async run(): Promise<void> {
    const { model, fallbackModel } = this.options;
    // The engine begins a moment after the request; by then it may have been dropped.
    if (this.abortController.signal.aborted || this.options.mayAsk?.() === false) return;
    try {
      await this.ask(model, fallbackModel ? (this.options.silentModelMs ?? SILENT_MODEL_MS) : Infinity);
    } catch (error) {
      if (!(error instanceof ModelError) || this.isOver(error)) return this.fail(error);
      this.options.onError(error);
      await this.askAgain(fallbackModel ?? model);
    }
  }

  private async askAgain(model: ModelRef): Promise<void> {
    // What the first model has asked for is done by now, or under way: it must not be done twice.
    if (this.calls > 0) return;
    try {
      await this.ask(model);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Reports any error: the engine ignores one that is thrown, and the customer would get no answer. */
  private fail(error: unknown): void {
    if (!this.isOver(error)) this.options.onFailure(error);
  }

  private isOver(error: unknown): boolean {
    return (error instanceof ModelError && error.code === 'aborted') || this.abortController.signal.aborted;
  }

  /** @param silentMs between two chunks at most */
  private async ask({ code, reasoningEffort }: ModelRef, silentMs = Infinity): Promise<void> {
    const { signal } = this.abortController;
    const { chatModel, temperature } = this.options;
    const request: ChatRequest = {
      model: code,
      ...(reasoningEffort ? { reasoningEffort } : {}),
      messages: await this.messages(signal),
      tools: this.tools(),
      toolChoice: toolChoiceOf(this.toolChoice),
      temperature,
    };
    const answer = (left: AbortSignal) =>
      chatModel.stream(request, { signal: left, timeoutMs: TURN_TIMEOUT_MS });
    const filter = this.options.whisperFilter?.() ?? null;
    for await (const chunk of unlessSilent(answer, signal, silentMs)) {
      if (signal.aborted) return;
      if (filter && chunk.type !== 'text') this.say(filter.end());
      if (chunk.type === 'text') this.say(filter?.push(chunk.text) ?? chunk.text);
      else if (chunk.type === 'tool-call') this.call(chunk.toolCall);
      else if (chunk.type === 'finish') this.finish(code, chunk.usage);
      // Words that were spoken cannot be taken back: after `retract` the answer follows them.
      if (this.text.length >= MAX_TEXT_LENGTH) return;
    }
    if (filter) this.say(filter.end());
  }

  private async messages(signal: AbortSignal): Promise<ChatMessage[]> {
    const { knowledge, instructions, results } = this.options;
    const messages = chatMessages(this.chatCtx.items, results);
    const question = messages.at(-1);
    moveNote(messages, instructions());
    const asked = question?.role === 'user' ? question.content : null;
    const passages = await passagesFor(knowledge, asked, signal, (error) => this.options.onError(error));
    const [first] = messages;
    if (first?.role === 'system') messages[0] = { role: 'system', content: first.content + passages };
    if (this.text !== '') {
      messages.push(
        { role: 'assistant', content: this.text },
        { role: 'system', content: 'You were cut off in this sentence. Go on from there; repeat nothing.' },
      );
    }
    return messages;
  }

  private tools(): ToolDefinition[] {
    const names = this.toolCtx ? Object.keys(this.toolCtx.functionTools) : [];
    return names.flatMap((name) => this.options.tools.get(name)?.definition ?? []);
  }

  private say(delta: string): void {
    const content = withoutNul(delta).slice(0, MAX_TEXT_LENGTH - this.text.length);
    if (content === '') return;
    this.text += content;
    this.queue.put({ id: this.turnId, delta: { role: 'assistant', content } });
  }

  private call({ id, name, arguments: given, providerFields }: ToolCall): void {
    if (++this.calls > MAX_CALLS) return;
    // The engine reads them by JSON.parse, which would change long numbers.
    const args = given.trim() === '' ? '{}' : withExactNumbers(given);
    // The engine keeps `extra` with the call, and gives it back with the conversation.
    const extra = providerFields ? { extra: { [PROVIDER_FIELDS]: providerFields } } : {};
    const toolCalls = [llm.FunctionCall.create({ callId: id, name, args, ...extra })];
    this.queue.put({ id: this.turnId, delta: { role: 'assistant', toolCalls } });
  }

  private finish(model: string, usage: TokenUsage | null): void {
    this.options.onUsage(model, usage);
    if (!usage) return;
    const { inputTokens: promptTokens, cachedInputTokens, outputTokens: completionTokens } = usage;
    this.queue.put({
      id: this.turnId,
      usage: {
        promptTokens,
        completionTokens,
        promptCachedTokens: cachedInputTokens ?? 0,
        totalTokens: promptTokens + completionTokens,
      },
    });
  }
}

/**
 * An answer as it comes, up to a silence of more than `silentMs`.
 *
 * @throws ModelError `timeout` then, and the error of the answer
 */
async function* unlessSilent(
  answer: (signal: AbortSignal) => AsyncIterable<ChatChunk>,
  signal: AbortSignal,
  silentMs: number,
): AsyncGenerator<ChatChunk> {
  if (silentMs === Infinity) return yield* answer(signal);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silentMs);
  try {
    for await (const chunk of answer(AbortSignal.any([signal, silence.signal]))) {
      timer.refresh();
      yield chunk;
    }
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) throw new ModelError('timeout', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function toolChoiceOf(choice: llm.ToolChoice | undefined): ToolChoice {
  return choice === 'none' || choice === 'required' ? choice : 'auto';
}
