export type CallProgress = 'dialing' | 'ringing' | 'answered' | 'ended';

export type AnsweredBy = 'human' | 'machine';

/** `running`: the far end rings or is briefed; `connected`: customer and far end talk, and we only hear of the end. */
export type TransferProgress = 'none' | 'running' | 'connected';

export interface CallEnd {
  /** `hung-up` after an answer; the others without one. */
  readonly outcome: 'hung-up' | 'busy' | 'no-answer' | 'failed';
  /** Who ended it: the far end, we, or the carrier (busy, failed, a limit of its own). */
  readonly by: 'customer' | 'platform' | 'carrier';
  /** What the carrier says of a failure, from its own fixed words; for the operator, not for customers. */
  readonly reason: string | null;
  /** From the answer to the end as the carrier counts it, in its own time; 0 without an answer. */
  readonly answeredMs: number;
}

/** The current state of a call. */
export interface CarrierCall {
  readonly callId: string;
  /** Null for inbound calls. */
  readonly key: string | null;
  readonly direction: 'outbound' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly progress: CallProgress;
  /** Null while the carrier cannot tell. */
  readonly answeredBy: AnsweredBy | null;
  /** Of the last transfer; after a failed one it is `none` again. The adopting process reads here whether to speak. */
  readonly transfer: TransferProgress;
  /** The far end has put the call on hold; left out: it has not, or the carrier cannot tell. */
  readonly isHeld?: boolean;
  /** Real time, as is `endedAt`. */
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  /** Set when `progress` is `ended`. */
  readonly end: CallEnd | null;
}

export type TransferOutcome = 'answered' | 'busy' | 'no-answer' | 'failed' | 'declined';

export type CallEvent =
  /** The current state of the call; the first event of each `watch`. */
  | { readonly type: 'state'; readonly call: CarrierCall }
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  | { readonly type: 'answering-machine-detection'; readonly answeredBy: AnsweredBy }
  /** Keys the customer pressed: 0-9, * and #, in order. */
  | { readonly type: 'digits'; readonly digits: string }
  /** The far end has put the call on hold and does not listen, or has resumed it. */
  | { readonly type: 'hold'; readonly isHeld: boolean }
  /** What the customer said; only on a line of text, once it is said. */
  | { readonly type: 'heard'; readonly text: string }
  /** How a transfer went. After `answered` customer and far end talk, and we only hear of the end. */
  | { readonly type: 'transfer'; readonly transferId: string; readonly outcome: TransferOutcome }
  /** The last event. */
  | { readonly type: 'ended'; readonly call: CarrierCall };
