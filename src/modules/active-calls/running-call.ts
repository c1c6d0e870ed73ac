import type { StoredCall } from '../calls/call-facts.js';
import type { ActiveCall } from './active-call.entity.js';

/** What is written of a call when it begins to be active. */
export type NewActiveCall = Pick<
  ActiveCall,
  | 'callId'
  | 'userId'
  | 'line'
  | 'holdId'
  | 'maxDurationSeconds'
  | 'ringingSeconds'
  | 'pricePerMinuteMicros'
  | 'carrierPricePerMinuteMicros'
  | 'callsPerSecond'
  | 'carrier'
  | 'phoneNumberId'
> &
  Partial<
    Pick<
      ActiveCall,
      'stage' | 'carrierCallId' | 'leaseToken' | 'leaseUntil' | 'voiceProcessId' | 'byVisitor' | 'withoutLine'
    >
  >;

/** A call with what is left to do for it. */
export interface RunningCall {
  readonly call: StoredCall;
  readonly active: ActiveCall;
}

/** What the owner's server has said of a caller before the call began. */
export interface CallerContext {
  /** First words in place of the assistant's; null: the assistant's. */
  readonly initialMessage: string | null;
  /** Names of the variables that it has given values; null: none. */
  readonly lookupVariables: readonly string[] | null;
}

/** A call that this process, and no other one, is about to ask the carrier for. */
export interface BegunPlacing {
  readonly callId: number;
  /** Its end has been requested. */
  readonly isToEnd: boolean;
}

/** A call that the carrier has. */
export interface PlacedCall {
  readonly callId: number;
  readonly carrierCallId: string;
  /** Token of the lease of the process that monitors it. */
  readonly token: string;
}

/** A call whose lease was renewed. */
export interface RenewedLease {
  readonly carrierCallId: string | null;
  /** Its end has been requested. */
  readonly isToEnd: boolean;
}

/** A call that is to end. */
export interface RequestedEnd {
  readonly callId: number;
  readonly stage: ActiveCall['stage'];
  readonly carrier: string;
  readonly carrierCallId: string | null;
  /** It is a call of a campaign that does not run. */
  readonly isOfStopped: boolean;
}

/** A call for which nothing is left to do. */
export interface EndedCall {
  /** A webhook endpoint of the account wants to hear of its end. */
  readonly isEndWanted: boolean;
}

/** A call that no process has. */
export interface Orphan {
  readonly callId: number;
  readonly why:
    'undialled' | 'unclaimed' | 'abandoned' | 'unmonitored' | 'unevaluated' | 'unevaluable' | 'overdue';
}
