import { timeoutSignal } from '../../../common/time/timeout-signal.js';

const LIST_TIMEOUT_MS = 2_000;
/** How long a list is trusted; afterwards it is asked for again while the old one still answers. */
const LIST_LIFE_MS = 60_000;
/** How long a server that did not list its models is left alone. */
const PAUSE_AFTER_FAILURE_MS = 10_000;
/** Names of models that do not chat; servers list them beside those that do. */
const NO_CHAT = /embed|whisper|tts|rerank|guard|moderation|transcribe|speech|orpheus|bge-|clip|dall-e|image/i;

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

  constructor(private readonly list: ListModels) {}

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
    // Ollama lists `llama3.2:latest` and answers to `llama3.2`.
    if (served.includes(wanted) || served.includes(`${wanted}:latest`)) return wanted;
    return served.find((name) => !NO_CHAT.test(name)) ?? wanted;
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

function namesIn(listed: readonly unknown[]): readonly string[] {
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && name !== '' && name.length <= MAX_NAME_CHARS;
  return listed.filter(isName).slice(0, MAX_NAMES);
}
