import type { TokenUsage } from '../../../providers/llm/chat-model.js';
import { addTokens, NO_TOKENS, type TokenSum } from '../../../common/figures/token-sum.js';
import type { FunctionCall, TurnListener } from '../../../runtime/chat-turn.js';

/**
 * Adds up the tokens that the models of a turn report, for any outcome of the turn, and passes everything else on.
 */
export class TurnTokens implements TurnListener {
  sum: TokenSum = NO_TOKENS;

  constructor(private readonly listener?: TurnListener) {}

  onUsage(_model: string, usage: TokenUsage | null): void {
    this.sum = addTokens(this.sum, usage);
  }

  onText(delta: string): void {
    this.listener?.onText(delta);
  }

  onRestart(kept: string): void {
    this.listener?.onRestart(kept);
  }

  onFunctionCall(call: FunctionCall): void {
    this.listener?.onFunctionCall(call);
  }
}
