/** A line of a process that is gone, as it was kept. */
export interface KeptLine {
  readonly callId: string;
  /** As `save` returned it. */
  readonly state: string;
  /** When the last words were said that are on record, since the answer: so long the line surely lasted. */
  readonly lastHeardMs: number;
  /** Its second leg continues as well, and ends with it. Left out: second legs are hung up. */
  readonly keepsSecondLeg?: boolean;
}

/**
 * Continues lines whose process has died. The saved state of a line holds its keys, so it is a secret. The caller
 * ensures that no other process has the line.
 */
export interface LineTakeover {
  /** Whether lines may be taken over in this process now. */
  readonly isReady: boolean;

  /** Whether several processes have lines at the same time, any of which may take over those of one that dies. */
  readonly isShared: boolean;

  /** Tells each time that lines may be taken over in this process from now on. Returns how to end that. */
  onReady(listener: () => void): () => void;

  /**
   * Asks after this process has stood still for so long that others may have taken its lines: nothing is sent on any of them
   * until all who are asked have found out what is still this process's, and given up the rest. Who rejects is asked again.
   * Returns how to end that.
   */
  onStandstill(confirm: () => Promise<void>): () => void;

  /**
   * All that another process needs to continue a line, and to continue or end its second legs. Null while no
   * process could do so.
   */
  save(callId: string, secondLegs: readonly string[]): string | null;

  /** Tells when `save` may return something else, for a line or a second leg. Returns how to end that. */
  onChange(callId: string, listener: () => void): () => void;

  /**
   * Takes a line over, and its second leg where that is wanted. Ends the other second legs it had. Returns when the far end has agreed or the line has ended; `watch`
   * tells which.
   *
   * @throws CallCarrierError `unavailable` where lines cannot be taken over now, `no-such-call` where this one cannot
   */
  resume(line: KeptLine): Promise<void>;

  /**
   * Forgets a line that another process has or is about to take, without signalling to the far end. An unanswered
   * call is hung up, as no process can continue it.
   */
  release(callId: string): void;

  /** Lines in this process that have not ended, ringing ones included, besides these. */
  countOthers(callIds: readonly string[]): number;

  /** Gives up what lines are reached by, so that another process can have it. Lines that are left are hung up. */
  leave(): Promise<void>;
}
