import type { CallEvent, CarrierCall } from '../../providers/telephony/call/carrier-call.js';
import type { CallLine } from '../../providers/telephony/call/call-line.js';
import type { VariableContext } from '../../runtime/compile-assistant.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import type { RunningCall } from '../active-calls/running-call.js';
import type { CallStatus } from '../calls/call-states.js';
import type { StoredCall } from '../calls/call-facts.js';

/** A call that this process monitors to its end. */
export interface MonitoredCall extends RunningCall {
  readonly call: StoredCall & { status: CallStatus };
  readonly lease: CallLease;
  readonly carrierCallId: string;
}

/** The line of a call at the answer, or when this process adopts an answered call. */
export interface AnsweredLine {
  readonly events: AsyncIterator<CallEvent>;
  /** The state that the carrier reports; null where it reports only the answer. */
  readonly state: CarrierCall | null;
  /** An assistant has spoken on it before. */
  readonly wasInProgress: boolean;
}

/** Whether the carrier itself speaks on a call, or has connected it with another number. */
export function isRunByCarrier(
  { routing }: Pick<StoredCall, 'routing'>,
  { announce, forward }: Pick<CallLine, 'announce' | 'forward'>,
): boolean {
  if (routing?.action === 'forward') return forward !== undefined;
  return routing?.action === 'message' && announce !== undefined;
}

/** Milliseconds since the answer, in the carrier's time; 0 where the time of the answer is unknown. */
export function sinceAnswerMs({ line }: CallLease, answeredAt: Date | null | undefined): number {
  if (!answeredAt) return 0;
  return Math.max(Date.now() - answeredAt.getTime(), 0) * line.capabilities.speed;
}

/** What the variables of an assistant are computed from on a call. */
export function variableContextOf({ call, active }: RunningCall): VariableContext {
  return {
    variables: call.inputVariables,
    isFromVisitor: active.byVisitor,
    trustedVariables: active.lookupVariables ?? [],
    customerPhone: call.clientPhoneNumber,
    assistantPhone: call.assistantPhoneNumber,
    now: new Date(),
  };
}
