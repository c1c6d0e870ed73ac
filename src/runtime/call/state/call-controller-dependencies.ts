import type { Clock } from '../../../common/time/clock.js';
import type { ChatModel } from '../../../providers/llm/chat-model.js';
import type { CallLine } from '../../../providers/telephony/call/call-line.js';
import type { ResolveSipTarget } from '../../../providers/telephony/sip-target.js';
import type { AssistantSessionFactory } from '../session/assistant-session.js';

export interface CallControllerDependencies {
  readonly line: CallLine;
  /** Of the line's media. */
  readonly sessions: AssistantSessionFactory;
  /** The account whose call it is. */
  readonly userId: number;
  /** Of the account whose call it is: talks, and briefs supervisors. */
  readonly chatModel: ChatModel;
  /** Runs at the carrier's speed. */
  readonly clock: Clock;
  /** How long a far end may keep a line on hold. */
  readonly maxHoldMs: number;
  /** What the operator allows models to transfer to; empty: the country of the assistant's number. */
  readonly transferCountries: readonly string[];
  /** Asked before a call is transferred to a SIP address: none may lead into the operator's own network. */
  readonly resolveSipTarget: ResolveSipTarget;
}
