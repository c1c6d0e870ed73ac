/** How long things take, in milliseconds of the sandbox's time. */
export const SANDBOX_TIMES = {
  untilRingingMs: 500,
  untilBusyMs: 1_000,
  untilFailedMs: 500,
  /** From the first ring to the answer. */
  ringsMs: 2_500,
  untilHintMs: 1_000,
  untilOpeningMs: 1_500,
  thinksMs: 800,
  /** Of silence before a person says something about it; the second time, they hang up. */
  patienceMs: 15_000,
  /** How far into the other side's words a person hangs up who does not let them finish. */
  interruptsAfterMs: 1_000,
  /** What a voicemail records. */
  recordsMs: 30_000,
  farEndAnswersMs: 3_000,
  farEndDecidesMs: 1_000,
  talkAfterTransferMs: 10_000,
} as const;

const MS_PER_CHARACTER = 60;

/** Speech at about 150 words a minute. */
export function speechMs(text: string): number {
  return Math.max(text.length * MS_PER_CHARACTER, 300);
}
