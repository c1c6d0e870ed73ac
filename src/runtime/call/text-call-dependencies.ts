import type { Clock } from '../../common/time/clock.js';
import type { ChatModel } from '../../providers/llm/chat-model.js';
import type { CallLine, TextLine } from '../../providers/telephony/call-carrier.js';
import type { ResolveSipTarget } from '../../providers/telephony/sip-target.js';
import type { TurnLimits } from '../chat-turn.js';

export interface TextCallDependencies {
  readonly carrier: CallLine;
  readonly textLine: TextLine;
  readonly chatModel: ChatModel;
  /** Runs at the carrier's speed. */
  readonly clock: Clock;
  readonly limits: TurnLimits;
  /** What the operator allows models to transfer to; empty: the country of the assistant's number. */
  readonly transferCountries: readonly string[];
  /** Asked before a call is transferred to a SIP address: none may lead into the operator's own network. */
  readonly resolveSipTarget: ResolveSipTarget;
}
