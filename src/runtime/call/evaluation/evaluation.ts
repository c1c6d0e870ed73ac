import type { FunctionCall } from '../../function-call.js';

/** Something to find out beyond `status` and `summary`, as `post_call_schema` names it. */
export interface EvaluationField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool';
  readonly description: string;
}

/** `status` (whether the call reached its goal) and `summary` first, then the fields; null is unknown. */
export type Evaluation = Readonly<Record<string, string | number | boolean | null>>;

/** What an evaluation is made from. */
export interface EvaluatedCall {
  /** Left out: a call. */
  readonly channel?: 'call' | 'chat';
  /** Lines of `AI: …` and `Customer: …`. */
  readonly transcript: string;
  /** Tools that were called; left out: none. */
  readonly functionCalls?: readonly FunctionCall[];
  readonly answeredBy: 'human' | 'machine' | 'unknown';
  /** ISO 639-1 code of the language to write in. */
  readonly language: string;
}
