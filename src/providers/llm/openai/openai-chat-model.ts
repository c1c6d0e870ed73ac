import OpenAI from 'openai';
import type { ChatChunk, ChatModel, ChatRequest, ChatStreamOptions } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { Deadline } from '../../../common/time/deadline.js';
import { completionChunks } from './completion-stream.js';
import { KeepAliveFetch } from './keep-alive-fetch.js';
import { checkModelList } from './model-list.js';
import { toModelError } from './openai-error.js';
import { ServedModels } from './served-models.js';
import { toCompletionRequest, type OutputLimitField } from './openai-request.js';
import { TurnAssembler } from './turn-assembler.js';

const OPENAI_HOST = 'api.openai.com';

export interface OpenAiChatModelOptions {
  /** Up to and with the version segment, e.g. `http://127.0.0.1:11434/v1`; OpenAI's own when left out. */
  readonly baseUrl?: string;
  /** Left out for servers that want none. */
  readonly apiKey?: string;
  /** For one turn, when the caller sets no time of its own. */
  readonly timeoutMs: number;
  /** Asked for whatever a request names. */
  readonly model?: string;
  /** Whether models that the server does not list are replaced by one that it does. */
  readonly replacesUnknownModels?: boolean;
  /** Shared with others, and closed by whoever made them; left out: connections of its own. */
  readonly connections?: KeepAliveFetch;
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
  /** For what is asked now and then; each turn's request goes its own way. */
  private readonly client: OpenAI;
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
    // All that the SDK would otherwise look up in the environment is set here. Its log is off
    // because it prints chunks it cannot parse.
    this.client = new OpenAI({
      baseURL: baseUrl ?? `https://${OPENAI_HOST}/v1`,
      apiKey: apiKey ?? 'none',
      // Compression would hold tokens back until a block is full.
      defaultHeaders: { 'accept-encoding': 'identity', ...(apiKey === undefined && { authorization: null }) },
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      maxRetries: 0,
      fetch: this.connections.fetch,
    });
    const base = this.client.baseURL.replace(/\/$/, '');
    this.completionsUrl = `${base}/chat/completions`;
    this.modelsUrl = `${base}/models`;
    this.headers = {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'Prosa',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    const isOpenAi = new URL(this.client.baseURL).hostname === OPENAI_HOST;
    this.outputLimitField = isOpenAi ? 'max_completion_tokens' : 'max_tokens';
    this.timeoutMs = timeoutMs;
    this.fixedModel = options.model;
    // The catalogue is OpenAI's: what it names need not be looked up there.
    const listed = options.replacesUnknownModels === true && !isOpenAi;
    this.served = listed ? new ServedModels((signal) => this.listModels(signal)) : null;
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
    const turn = new TurnAssembler();
    try {
      yield* this.readText(await this.withServedModel(request), turn, deadline);
      yield* turn.finish();
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
      await deadline.race(checkModelList(this.connections, this.modelsUrl, this.headers, deadline.signal));
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

  private async listModels(signal: AbortSignal): Promise<readonly unknown[]> {
    const { data } = await this.client.models.list({ signal });
    return data.map((model: { readonly id: unknown } | null) => model?.id);
  }

  private async withServedModel(request: ChatRequest): Promise<ChatRequest> {
    const model = await this.modelFor(request.model);
    if (model === request.model) return request;
    // A setting of the model that was asked for; this one may refuse it.
    const { reasoningEffort: _, ...rest } = request;
    return { ...rest, model };
  }

  private async *readText(
    request: ChatRequest,
    turn: TurnAssembler,
    deadline: Deadline<ModelError>,
  ): AsyncGenerator<ChatChunk> {
    try {
      const body = toCompletionRequest(request, this.outputLimitField);
      const asked = { url: this.completionsUrl, headers: this.headers, body };
      for await (const chunks of completionChunks(this.connections, asked, deadline.signal)) {
        for (const chunk of chunks) {
          const text = turn.accept(chunk);
          if (text !== '') yield { type: 'text', text };
          // What is already buffered is not for a caller who gave up meanwhile.
          deadline.throwIfExpired();
        }
      }
    } catch (error) {
      // The answer is whole once a finish reason has come: what fails later costs the usage figures.
      if (!turn.finished || deadline.error?.code === 'aborted') throw error;
    }
  }
}
