import type { ChatChunk, ChatModel, ChatRequest, ChatStreamOptions } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { Deadline } from '../../../common/time/deadline.js';
import { completionChunks } from './completion-stream.js';
import { KeepAliveFetch } from './keep-alive-fetch.js';
import { modelList } from './model-list.js';
import { toModelError } from './openai-error.js';
import { ServedModels } from './served-models.js';
import { formsAfter } from './request/adapted-form.js';
import { toCompletionRequest } from './request/completion-request.js';
import { KnownModels, type ModelHabits, noteBeginning } from './request/model-habits.js';
import { isFailedToolUse, isNoChatModel, refusalIn } from './request/refusal.js';
import type { OutputLimitField, RequestForm } from './request/request-form.js';
import { TurnAssembler } from './turn-assembler.js';

const OPENAI_HOST = 'api.openai.com';
/** Forms of one request that are tried; each but the last was refused for another reason. */
const MAX_FORMS = 8;

export interface OpenAiChatModelOptions {
  /** Up to and with the version segment, e.g. `http://127.0.0.1:11434/v1`; OpenAI's own when left out. */
  readonly baseUrl?: string;
  /** Left out for servers that want none. */
  readonly apiKey?: string;
  /** For one turn, when the caller sets no time of its own. */
  readonly timeoutMs: number;
  /** Used in place of the model that a request names. */
  readonly model?: string;
  /** Whether models that the server does not list are replaced by one that it does. */
  readonly replacesUnknownModels?: boolean;
  /** Shared with others, and closed by their owner; left out: connections of its own. */
  readonly connections?: KeepAliveFetch;
  /** Shared with others; left out: what this one learns. */
  readonly knownModels?: KnownModels;
  /** The model that the installation embeds with, which is never asked for an answer in place of another. */
  readonly embeddingModel?: string | undefined;
}

/**
 * Any server that speaks `POST /chat/completions`: OpenAI, vLLM, Ollama, Groq…
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export class OpenAiChatModel implements ChatModel {
  readonly provider = 'openai-compatible';
  readonly capabilities = { streaming: true, parallelToolCalls: true };
  private readonly connections: KeepAliveFetch;
  private readonly ownsConnections: boolean;
  private readonly base: string;
  private readonly known: KnownModels;
  private readonly completionsUrl: string;
  private readonly modelsUrl: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly outputLimitField: OutputLimitField;
  private readonly timeoutMs: number;
  private readonly fixedModel: string | undefined;
  private readonly served: ServedModels | null;

  constructor(options: OpenAiChatModelOptions) {
    const { baseUrl, apiKey, timeoutMs } = options;
    this.connections = options.connections ?? new KeepAliveFetch();
    this.ownsConnections = options.connections === undefined;
    this.base = (baseUrl ?? `https://${OPENAI_HOST}/v1`).replace(/\/+$/, '');
    this.known = options.knownModels ?? new KnownModels();
    this.completionsUrl = `${this.base}/chat/completions`;
    this.modelsUrl = `${this.base}/models`;
    this.headers = {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'Prosa',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    const isOpenAi = new URL(this.base).hostname === OPENAI_HOST;
    this.outputLimitField = isOpenAi ? 'max_completion_tokens' : 'max_tokens';
    this.timeoutMs = timeoutMs;
    this.fixedModel = options.model;
    // The catalogue is OpenAI's: what it names need not be looked up there.
    const listed = options.replacesUnknownModels === true && !isOpenAi;
    this.served = listed
      ? new ServedModels((signal) => this.listModels(signal), options.embeddingModel)
      : null;
  }

  /**
   * The model that is really asked when a request names `wanted`.
   *
   * @returns `wanted` where the server cannot be asked; never throws
   */
  async modelFor(wanted: string): Promise<string> {
    return this.fixedModel ?? (await this.served?.nameFor(wanted)) ?? wanted;
  }

  /** False where the server was to be asked for its models and has listed none; true where it need not be asked. */
  get hasListedModels(): boolean {
    return this.fixedModel !== undefined || (this.served?.areKnown ?? true);
  }

  async *stream(request: ChatRequest, options: ChatStreamOptions = {}): AsyncGenerator<ChatChunk> {
    const deadline = new Deadline(
      options.timeoutMs ?? this.timeoutMs,
      options.signal,
      (code, cause) => new ModelError(code, { cause }),
    );
    try {
      // The steps below hand over lists: each generator that passes single pieces on costs three promises a piece.
      for await (const chunks of this.answer(request, deadline)) {
        for (const chunk of chunks) {
          // What is already buffered is not for a caller who has given up.
          if (deadline.error?.code === 'aborted') throw deadline.error;
          yield chunk;
        }
      }
    } catch (error) {
      throw deadline.error ?? toModelError(error);
    } finally {
      deadline.close();
    }
  }

  /**
   * Asks for the server's models, which costs nothing: whether it is there, takes the key, and speaks as OpenAI does.
   *
   * @throws ModelError where not
   */
  async check(timeoutMs: number): Promise<void> {
    const deadline = new Deadline(timeoutMs, undefined, (code, cause) => new ModelError(code, { cause }));
    try {
      await deadline.race(this.listModels(deadline.signal));
    } catch (error) {
      throw deadline.error ?? toModelError(error, 'unauthorized');
    } finally {
      deadline.close();
    }
  }

  /** Ends idle and running connections, where they are its own. */
  async close(): Promise<void> {
    if (this.ownsConnections) await this.connections.close();
  }

  private listModels(signal: AbortSignal): Promise<readonly unknown[]> {
    return modelList(this.connections, this.modelsUrl, this.headers, signal);
  }

  private async withServedModel(request: ChatRequest): Promise<ChatRequest> {
    const model = await this.modelFor(request.model);
    if (model === request.model) return request;
    // A setting of the model that was asked for; this one may refuse it.
    const { reasoningEffort: _, ...rest } = request;
    return { ...rest, model };
  }

  /** Asks in the form that the server is known to take, and in another one where it refuses that. */
  private async *answer(
    given: ChatRequest,
    deadline: Deadline<ModelError>,
  ): AsyncGenerator<readonly ChatChunk[]> {
    let request = await this.withServedModel(given);
    let habits = this.habitsOf(request);
    let { form } = habits;
    let hasFailedCall = false;
    for (let attempt = 1; ; attempt++) {
      const { tools, toolChoice } = request;
      const { beginning } = habits;
      const turn = new TurnAssembler({ tools, mayCall: toolChoice !== 'none', beginning });
      try {
        yield* this.readText(request, form, turn, deadline);
        if (!turn.isFailedCall || hasFailedCall) {
          const chunks = turn.finish();
          habits.form = form;
          if (turn.hasText) noteBeginning(habits, turn.hasLoneEnd);
          yield chunks;
          return;
        }
        hasFailedCall = true;
      } catch (error) {
        if (turn.hasBegun || deadline.error !== null || attempt >= MAX_FORMS) throw error;
        const next = nextForm(error, request, form);
        if (next) form = next;
        else if (isFailedToolUse(error) && !hasFailedCall) hasFailedCall = true;
        else if (isNoChatModel(error) && (await this.passOver(request, given))) {
          request = await this.withServedModel(given);
          habits = this.habitsOf(request);
          form = habits.form;
        } else throw error;
      }
    }
  }

  private habitsOf({ model }: ChatRequest): ModelHabits {
    return this.known.habitsOf(this.base, model, this.outputLimitField);
  }

  private async passOver({ model }: ChatRequest, { model: wanted }: ChatRequest): Promise<boolean> {
    return (
      model !== wanted &&
      this.fixedModel === undefined &&
      (await this.served?.passOver(model, wanted)) === true
    );
  }

  private async *readText(
    request: ChatRequest,
    form: RequestForm,
    turn: TurnAssembler,
    deadline: Deadline<ModelError>,
  ): AsyncGenerator<readonly ChatChunk[]> {
    try {
      const body = toCompletionRequest(request, form);
      const asked = { url: this.completionsUrl, headers: this.headers, body };
      for await (const chunks of completionChunks(this.connections, asked, deadline.signal))
        yield* textOf(chunks, turn);
    } catch (error) {
      // The answer is whole once a finish reason has come: what fails later costs the usage figures.
      if (!turn.finished || deadline.error?.code === 'aborted') throw error;
    }
  }
}

/** The new text of chunks that arrived together; all that came before a chunk that cannot be read. */
function* textOf(chunks: readonly unknown[], turn: TurnAssembler): Generator<readonly ChatChunk[]> {
  const texts: ChatChunk[] = [];
  try {
    for (const chunk of chunks) {
      const text = turn.accept(chunk);
      if (turn.takeRetraction()) texts.push({ type: 'retract' });
      if (text !== '') texts.push({ type: 'text', text });
    }
  } catch (error) {
    if (texts.length > 0) yield texts;
    throw error;
  }
  if (texts.length > 0) yield texts;
}

/** The first form after a refusal in which the request is another one; null where there is none. */
function nextForm(error: unknown, request: ChatRequest, form: RequestForm): RequestForm | null {
  const refusal = refusalIn(error);
  if (!refusal) return null;
  const refused = toCompletionRequest(request, form);
  const json = JSON.stringify(refused);
  const forms = formsAfter(refusal, refused, form);
  return forms.find((other) => JSON.stringify(toCompletionRequest(request, other)) !== json) ?? null;
}
