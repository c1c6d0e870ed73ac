/**
 * How a carrier connects a customer to a third party:
 *
 * - `none`: not at all
 * - `carrier`: by `transfer`, also with a briefing, which the carrier itself gives
 * - `refer`: by `transfer` without a briefing, where the far end takes that
 *
 * Where a carrier cannot transfer, the process that has the call's audio does: it places a second call, briefs the
 * person who answers, and bridges the audio of both.
 */
export type TransferMeans = 'none' | 'carrier' | 'refer';

export interface CallCarrierCapabilities {
  /**
   * How long a key that is sent again returns the same call, in milliseconds; 0 when the carrier knows no keys. Then a
   * request that was `maybe` sent must not be sent again unless `findCall` says `absent`.
   */
  readonly keyRetentionMs: number;
  /** `findCall` can say `absent`. Without it the answer for a key it has not seen is `unknown`. */
  readonly provesAbsence: boolean;
  readonly transfer: TransferMeans;
  readonly sendDigits: boolean;
  /** Keys are tones in the audio: they come as no `digits` events, and `sendDigits` plays none. */
  readonly inBandDigits: boolean;
  readonly inbound: boolean;
  /** It tells people from machines by itself, with `answering-machine-detection` events. */
  readonly machineDetection: boolean;
  /** It is the telephone network, where calls ring with real people, at their hours. */
  readonly reachesPeople: boolean;
  /**
   * A call continues when the process that watches it dies, and another process may adopt it. Where this is false,
   * the line dies with that process, and all that remains is to end the call.
   */
  readonly reattachable: boolean;
  /**
   * Signalling and sound of a call are in the process that has it: no other can hang it up. Where such a line is
   * `reattachable`, another process adopts it by `takeover`.
   */
  readonly livesInProcess: boolean;
  /** How many calls a second it may be asked for; null where it sets no limit. */
  readonly placementsPerSecond: number | null;
  /** The same for the calls of one SIP trunk. */
  readonly placementsPerSecondOfTrunk: number | null;
  /**
   * How fast the carrier's time runs: 1 in the real world, SANDBOX_SPEED in the sandbox. Waits that belong to calls (retry
   * intervals, the length of a call) are divided by it; leases, sweeps and time limits of requests are not.
   */
  readonly speed: number;
}

/** How many calls a second operators accept, where the carrier is configured with it. */
export type PlacementPace = Partial<
  Pick<CallCarrierCapabilities, 'placementsPerSecond' | 'placementsPerSecondOfTrunk'>
>;
