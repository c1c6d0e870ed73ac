import type { TokenUsage } from '../../providers/llm/chat-model.js';
import type { ModelUsage } from './call-engine.js';

/** Counts what models were asked in one call. */
export class ModelUsageCount {
  private readonly counts = new Map<string, ModelUsage>();

  get all(): readonly ModelUsage[] {
    return [...this.counts.values()];
  }

  /** @param usage null where the provider does not count */
  used(model: string, usage: TokenUsage | null): void {
    this.add({
      model,
      requests: 1,
      inputTokens: usage?.inputTokens ?? null,
      outputTokens: usage?.outputTokens ?? null,
    });
  }

  add({ model, requests, inputTokens, outputTokens }: ModelUsage): void {
    const before = this.counts.get(model);
    this.counts.set(model, {
      model,
      requests: (before?.requests ?? 0) + requests,
      inputTokens: sumOf(before?.inputTokens, inputTokens),
      outputTokens: sumOf(before?.outputTokens, outputTokens),
    });
  }
}

function sumOf(before: number | null | undefined, more: number | null): number | null {
  return more === null ? (before ?? null) : (before ?? 0) + more;
}
