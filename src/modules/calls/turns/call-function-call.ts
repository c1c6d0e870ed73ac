import type { FunctionCall } from '../../../runtime/function-call.js';

/** What a tool of a call was asked, and has answered. */
export interface CallFunctionCall extends FunctionCall {
  /** When it had answered, in milliseconds since the answer of the call. */
  readonly at_ms: number;
}
