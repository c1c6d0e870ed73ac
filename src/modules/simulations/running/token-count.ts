import type { TokenUsage } from '../../../providers/llm/chat-model.js';

/** Adds up what providers count; null until one has. */
export class TokenCount {
  inputTokens: number | null = null;
  outputTokens: number | null = null;

  private taken = 0;

  add(usage: TokenUsage | null): void {
    if (!usage) return;
    this.inputTokens = (this.inputTokens ?? 0) + usage.inputTokens;
    this.outputTokens = (this.outputTokens ?? 0) + usage.outputTokens;
  }

  /** Those that came since it was asked last. */
  take(): number {
    const all = (this.inputTokens ?? 0) + (this.outputTokens ?? 0);
    const fresh = all - this.taken;
    this.taken = all;
    return fresh;
  }
}
