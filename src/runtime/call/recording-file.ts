import { randomUUID } from 'node:crypto';

const NAME = /^(\d{1,10})-[0-9a-f-]{36}-(8000|16000|24000|48000)\.raw$/;

/** Whose recording a file of samples is, and how to read it; found again in its name after a crash. */
export interface RecordingFile {
  /** As in `EngineCall.recordAs`. */
  readonly recordAs: number;
  readonly sampleRateHz: number;
}

/** A name that no other recording has. */
export function recordingFileName({ recordAs, sampleRateHz }: RecordingFile): string {
  return `${recordAs}-${randomUUID()}-${sampleRateHz}.raw`;
}

/** Null for a name that `recordingFileName` has not made. */
export function recordingFileOf(name: string): RecordingFile | null {
  const [, recordAs, sampleRateHz] = NAME.exec(name) ?? [];
  return recordAs === undefined ? null : { recordAs: Number(recordAs), sampleRateHz: Number(sampleRateHz) };
}
