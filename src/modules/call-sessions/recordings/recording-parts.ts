import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { recordingFileOf } from '../../../runtime/call/recording-file.js';
import type { SessionRecording } from '../../../runtime/call/session/session-facts.js';

const BYTES_PER_STEREO_SAMPLE = 4;

/** What one process has recorded of a call, in the call's own time: silent until it begins. */
export interface RecordingPart {
  readonly path: string;
  /** Since the answer. */
  readonly startMs: number;
}

/**
 * All samples of a call on this disk, in the order they were recorded: several, where the call has outlived a process. Those of
 * another machine are not there.
 */
export async function partsOf({ path, sampleRateHz }: SessionRecording): Promise<RecordingPart[]> {
  const folder = dirname(path);
  const own = recordingFileOf(basename(path));
  if (!own) return [{ path, startMs: 0 }];
  return (await readdir(folder))
    .flatMap((name) => {
      const file = recordingFileOf(name);
      const isPart = file?.recordAs === own.recordAs && file.sampleRateHz === sampleRateHz;
      return isPart ? [{ path: join(folder, name), startMs: file.startMs }] : [];
    })
    .toSorted((one, other) => one.startMs - other.startMs);
}

/** Where `joined` puts the samples of several parts. */
export function joinedPathOf(samples: string): string {
  return `${samples}.joined`;
}

/** The samples of all parts, with silence for unrecorded time, so that the whole is as long as the call was. */
export async function joined(
  parts: readonly RecordingPart[],
  recording: SessionRecording,
): Promise<SessionRecording> {
  if (parts.length < 2) return recording;
  const path = joinedPathOf(recording.path);
  await pipeline(samplesOf(parts, recording.sampleRateHz), createWriteStream(path, { mode: 0o600 }));
  return { ...recording, path };
}

/**
 * Each part from where the ones before it end, to where the next begins. From then on the next process had the line.
 * What an earlier process recorded after that, because it was paused or about to end, was not on it. The silence in
 * between is in the next part.
 */
async function* samplesOf(
  parts: readonly RecordingPart[],
  sampleRateHz: number,
): AsyncGenerator<Buffer, void, undefined> {
  const bytesPerMs = (sampleRateHz / 1_000) * BYTES_PER_STEREO_SAMPLE;
  let at = 0;
  for (const [index, { path }] of parts.entries()) {
    const { size } = await stat(path);
    const nextMs = parts[index + 1]?.startMs ?? Infinity;
    const end = Math.min(size - (size % BYTES_PER_STEREO_SAMPLE), nextMs * bytesPerMs);
    if (end <= at) continue;
    yield* createReadStream(path, { start: at, end: end - 1 });
    at = end;
  }
}
