import type { TokenUsage } from '../../../providers/llm/chat-model.js';
import { addTokens, NO_TOKENS } from '../../../common/figures/token-sum.js';
import type { ModelUsage } from '../session/call-setup.js';

/** Counts what models were asked in one call. */
export class ModelUsageCount {
  private readonly counts = new Map<string, ModelUsage>();

  get all(): readonly ModelUsage[] {
    return [...this.counts.values()];
  }

  /** @param usage null where the provider does not count */
  used(model: string, usage: TokenUsage | null): void {
    this.add({ model, requests: 1, ...(usage ?? NO_TOKENS) });
  }

  add({ model, requests, ...tokens }: ModelUsage): void {
    const before = this.counts.get(model);
    this.counts.set(model, {
      model,
      requests: (before?.requests ?? 0) + requests,
      ...addTokens(before ?? NO_TOKENS, tokens),
    });
  }
}
