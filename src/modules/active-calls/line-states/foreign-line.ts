/** A call whose line is, or was, in another process. */
export interface ForeignLine {
  readonly callId: number;
  readonly userId: number;
  readonly carrierCallId: string;
  /** No assistant talks on it. */
  readonly isWithoutAssistant: boolean;
  /** Of the process that has the call, or had it. */
  readonly leaseToken: string;
  /** It has not said for a while that it has the call. */
  readonly isLapsed: boolean;
  readonly voiceProcessId: string | null;
  /** Null for a process that is not registered any more. */
  readonly address: string | null;
  /** The process is about to end, and releases its calls. */
  readonly isDraining: boolean;
}
