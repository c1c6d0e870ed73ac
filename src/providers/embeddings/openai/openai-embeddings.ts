import OpenAI, { APIConnectionError, APIError } from 'openai';
import { Deadline } from '../../../common/time/deadline.js';
import { Embeddings, type EmbeddingSpace, type EmbedOptions, MAX_TEXTS } from '../embeddings.js';
import { EmbeddingsError, type EmbeddingsErrorCode } from '../embeddings-error.js';
import { toUnitVector } from '../unit-vector.js';

export interface OpenAiEmbeddingsOptions {
  /** Up to and with the version segment; OpenAI's own when left out. */
  readonly baseUrl?: string;
  /** Left out for servers that want none. */
  readonly apiKey?: string;
  readonly model: string;
  readonly dimensions: number;
  /** For one request, when the caller sets no time of its own. */
  readonly timeoutMs: number;
}

/**
 * Any server that speaks `POST /embeddings`: OpenAI, vLLM, Ollama, text-embeddings-inference…
 * @see https://platform.openai.com/docs/api-reference/embeddings
 */
export class OpenAiEmbeddings extends Embeddings {
  readonly space: EmbeddingSpace;
  private readonly client: OpenAI;
  private readonly timeoutMs: number;

  constructor({ baseUrl, apiKey, model, dimensions, timeoutMs }: OpenAiEmbeddingsOptions) {
    super();
    this.space = { model, dimensions };
    this.timeoutMs = timeoutMs;
    // All that the SDK would otherwise look up in the environment is set here.
    this.client = new OpenAI({
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
      apiKey: apiKey ?? 'none',
      ...(apiKey === undefined && { defaultHeaders: { authorization: null } }),
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      // Ingestion is tried again as a whole, and a search does not wait.
      maxRetries: 0,
      // The texts and the key go to the configured server alone.
      fetchOptions: { redirect: 'manual' },
    });
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    if (texts.length === 0) return [];
    if (texts.length > MAX_TEXTS) throw new EmbeddingsError('rejected', { cause: 'too many texts' });
    const vectors = vectorsOf(await this.request(texts, options));
    if (vectors.length !== texts.length) {
      throw new EmbeddingsError('malformed', {
        cause: `${vectors.length} vectors for ${texts.length} texts`,
      });
    }
    try {
      return vectors.map((vector) => toUnitVector(vector, this.space.dimensions));
    } catch (error) {
      throw new EmbeddingsError('rejected', { cause: error });
    }
  }

  private async request(
    texts: readonly string[],
    { timeoutMs = this.timeoutMs, signal }: EmbedOptions,
  ): Promise<unknown> {
    const deadline = new Deadline(timeoutMs, signal, (code, cause) => new EmbeddingsError(code, { cause }));
    try {
      return await this.client.embeddings.create(
        // Not every compatible server knows base64, which the SDK would ask for.
        { model: this.space.model, input: [...texts], encoding_format: 'float' },
        { signal: deadline.signal },
      );
    } catch (error) {
      throw deadline.error ?? new EmbeddingsError(codeOf(error), { cause: error });
    } finally {
      deadline.close();
    }
  }
}

interface IndexedVector {
  readonly index: number;
  readonly embedding: readonly number[];
}

/** In the order of the texts. The SDK says what an answer is, but looks at none. */
function vectorsOf(answer: unknown): (readonly number[])[] {
  const data: unknown = Object(answer).data;
  if (!Array.isArray(data) || !data.every(isVector)) {
    throw new EmbeddingsError('malformed', { cause: 'the answer holds something else than vectors' });
  }
  return data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
}

function isVector(item: unknown): item is IndexedVector {
  const { embedding }: { embedding?: unknown } = Object(item);
  return Array.isArray(embedding) && embedding.every(Number.isFinite);
}

function codeOf(error: unknown): EmbeddingsErrorCode {
  if (error instanceof APIConnectionError) return 'unavailable';
  if (!(error instanceof APIError)) return 'malformed';
  const { status = 500 } = error;
  if (status === 408 || status === 504) return 'timeout';
  return status === 429 || status === 409 || status >= 500 ? 'unavailable' : 'rejected';
}
