import { timeoutSignal } from '../../../common/time/timeout-signal.js';

const LIST_TIMEOUT_MS = 2_000;
/** How long a list is trusted; afterwards it is asked for again while the old one still answers. */
const LIST_LIFE_MS = 60_000;
/** How long a server that did not list its models is left alone. */
const PAUSE_AFTER_FAILURE_MS = 10_000;
/** Names of models that do not chat; servers list them next to those that do. */
const NO_CHAT =
  /embed|nomic|minilm|mpnet|paraphrase|sentence-|arctic|mxbai|jina|\b(?:e5|gte|bge|gtr|labse|splade|colbert)\b|(?:^|\/)(?:e5|gte|bge)-|rerank|guard|moderation|whisper|parakeet|tts|transcri|speech|orpheus|kokoro|\bclip\b|siglip|dall-e|image|diffusion|flux|sora|veo|davinci|babbage|ocr/i;

/** A customer may have chosen the server, whose list is kept: no more of it than any honest one sends. */
const MAX_NAMES = 1_000;
const MAX_NAME_CHARS = 200;

/** @returns what the server calls its models; it may be anything */
export type ListModels = (signal: AbortSignal) => Promise<readonly unknown[]>;

/**
 * Which model a server is asked for. Assistants name models of the catalogue; a server of one's own rarely has them. What
 * it lists is kept as asked, everything else is answered by the first model of its list that can chat.
 */
export class ServedModels {
  private served: readonly string[] = [];
  private askAgainAt = 0;
  private asking: Promise<void> | null = null;

  /** Models of the list that the server does not let chat. */
  private readonly refused = new Set<string>();

  /** @param embeddingModel the one that the installation embeds with */
  constructor(
    private readonly list: ListModels,
    private readonly embeddingModel?: string,
  ) {}

  /**
   * @param wanted name from the catalogue
   * @returns the name to send; `wanted` itself where the server lists it, or lists nothing. Never throws.
   */
  async nameFor(wanted: string): Promise<string> {
    if (performance.now() >= this.askAgainAt) {
      this.asking ??= this.ask().finally(() => (this.asking = null));
    }
    if (this.served.length === 0) await this.asking;
    const { served } = this;
    // Ollama lists `llama3.2:latest` and answers to `llama3.2`, Gemini the other way round.
    if ([wanted, `${wanted}:latest`, `models/${wanted}`].some((name) => served.includes(name))) return wanted;
    return served.find((name) => this.mayChat(name)) ?? wanted;
  }

  /**
   * The server has said that a model of its list does not chat.
   *
   * @returns whether another one would be asked now
   */
  async passOver(name: string, wanted: string): Promise<boolean> {
    if (this.refused.size >= MAX_NAMES) return false;
    this.refused.add(name);
    return (await this.nameFor(wanted)) !== name;
  }

  private mayChat(name: string): boolean {
    const isEmbedding =
      this.embeddingModel !== undefined && withoutTag(name) === withoutTag(this.embeddingModel);
    return !NO_CHAT.test(name) && !isEmbedding && !this.refused.has(name);
  }

  /** Whether the server has listed any. */
  get areKnown(): boolean {
    return this.served.length > 0;
  }

  private async ask(): Promise<void> {
    try {
      this.served = namesIn(await this.list(timeoutSignal(LIST_TIMEOUT_MS)));
      this.askAgainAt = performance.now() + LIST_LIFE_MS;
    } catch {
      // Not every server lists its models, and one that is away says so to the turn itself.
      this.askAgainAt = performance.now() + PAUSE_AFTER_FAILURE_MS;
    }
  }
}

function withoutTag(name: string): string {
  return name.replace(/:latest$/, '');
}

function namesIn(listed: readonly unknown[]): readonly string[] {
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && name !== '' && name.length <= MAX_NAME_CHARS;
  return listed.filter(isName).slice(0, MAX_NAMES);
}
