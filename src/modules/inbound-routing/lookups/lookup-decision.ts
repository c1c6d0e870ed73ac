import type { LookupAnswer } from '../../caller-lookups/lookup-answer.js';

/** What a lookup of the caller decides about its call. */
export interface LookupDecision {
  readonly action: 'assistant' | 'forward' | 'reject';
  /** Of `assistant`; null: the number's own. */
  readonly assistantId: number | null;
  /** Of `forward`, E.164; null for other actions. */
  readonly phoneNumber: string | null;
}

/** Null where the answer decides nothing: then the hours of the number do. */
export function decisionOf(answer: LookupAnswer | null): LookupDecision | null {
  if (answer === null) return null;
  const { action, assistantId, phoneNumber } = answer;
  if (action === 'reject') return { action, assistantId: null, phoneNumber: null };
  if (action === 'forward') return { action, assistantId: null, phoneNumber };
  const isDecided = action === 'answer' || assistantId !== null;
  return isDecided ? { action: 'assistant', assistantId, phoneNumber: null } : null;
}
