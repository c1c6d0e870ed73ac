/** Injection token of {@link LlmOptions}; the application provides it from its configuration. */
export const LLM_OPTIONS = Symbol('LLM_OPTIONS');

export interface LlmOptions {
  /** Of an OpenAI-compatible server, up to and with the version segment. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** For one turn, when the caller sets no time of its own. */
  readonly timeoutMs: number;
}
