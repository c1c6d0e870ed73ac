import type { ChatModel, TokenUsage } from '../../../providers/llm/chat-model.js';
import type { ModelRef } from '../../../runtime/assistant-snapshot.js';
import type { EvaluationField } from '../../../runtime/call/evaluation/evaluation.js';

/** The model that is asked about a conversation, and what it has to know. */
export interface Examiner {
  readonly chatModel: ChatModel;
  readonly model: ModelRef;
  /** The prompt that is tried. */
  readonly instructions: string;
  /** ISO 639-1 code of the language to write in. */
  readonly language: string;
  /** Of the assistant, for after its calls. */
  readonly fields: readonly EvaluationField[];
  /** A time limit for one question. */
  readonly signal: () => AbortSignal;
  readonly onUsage: (usage: TokenUsage | null) => void;
  /** Hears of each answer that cannot be used. */
  readonly onError: (error: unknown) => void;
}
