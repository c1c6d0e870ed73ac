import { randomUUID } from 'node:crypto';

const NAME = /^(\d{1,10})-(\d{1,8})-[0-9a-f-]{36}-(8000|16000|24000|48000)\.raw$/;

/**
 * Why a call with recording switched on is not recorded: too much waits to be stored, the disk has too little room, or the
 * program that packs recordings is missing. The names are stored.
 */
export const RECORDING_SKIPS = ['spool_full', 'disk_full', 'no_encoder'] as const;
export type RecordingSkip = (typeof RECORDING_SKIPS)[number];

/** Whose recording a file of samples is, and how to read it; found again in its name after a crash. */
export interface RecordingFile {
  /** As in `CallSetup.recordAs`. */
  readonly recordAs: number;
  /** Where its own samples begin, since the answer of the call; before that it is silent. */
  readonly startMs: number;
  readonly sampleRateHz: number;
}

/** A name that no other recording has. */
export function recordingFileName({ recordAs, startMs, sampleRateHz }: RecordingFile): string {
  return `${recordAs}-${startMs}-${randomUUID()}-${sampleRateHz}.raw`;
}

/** Null for a name that `recordingFileName` has not made. */
export function recordingFileOf(name: string): RecordingFile | null {
  const [, recordAs, startMs, sampleRateHz] = NAME.exec(name) ?? [];
  if (recordAs === undefined) return null;
  return { recordAs: Number(recordAs), startMs: Number(startMs), sampleRateHz: Number(sampleRateHz) };
}
