import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { recordingFileOf } from '../../../runtime/call/recording-file.js';
import type { TalkRecording } from '../../../runtime/call/talk-facts.js';

const BYTES_PER_STEREO_SAMPLE = 4;
/** A process that died is followed by another within seconds, or the call ends. */
const LONGEST_GAP_MS = 60_000;

/**
 * All samples of a call on this disk, in the order they were recorded: several, where the call has outlived a process. Those of
 * another machine are not there.
 */
export async function partsOf({ path, sampleRateHz }: TalkRecording): Promise<TalkRecording[]> {
  const folder = dirname(path);
  const own = recordingFileOf(basename(path));
  const isPart = (name: string) => {
    const file = recordingFileOf(name);
    return file?.recordAs === own?.recordAs && file?.sampleRateHz === sampleRateHz;
  };
  const paths = own ? (await readdir(folder)).filter(isPart).map((name) => join(folder, name)) : [path];
  const begun = await Promise.all(paths.map(async (part) => (await stat(part)).birthtimeMs));
  return paths
    .map((part, at) => ({ path: part, sampleRateHz, begunMs: begun[at] ?? 0 }))
    .toSorted((one, other) => one.begunMs - other.begunMs)
    .map((part) => ({ path: part.path, sampleRateHz }));
}

/** Where `joined` puts the samples of several parts. */
export function joinedPathOf(samples: string): string {
  return `${samples}.joined`;
}

/** The samples of all parts, with silence for as long as nobody recorded, so that the whole is as long as the call was. */
export async function joined(
  parts: readonly TalkRecording[],
  recording: TalkRecording,
): Promise<TalkRecording> {
  if (parts.length < 2) return recording;
  const path = joinedPathOf(recording.path);
  await pipeline(samplesOf(parts), createWriteStream(path, { mode: 0o600 }));
  return { ...recording, path };
}

async function* samplesOf(parts: readonly TalkRecording[]): AsyncGenerator<Buffer> {
  for (const [at, { path, sampleRateHz }] of parts.entries()) {
    const file = await stat(path);
    const wholeBytes = file.size - (file.size % BYTES_PER_STEREO_SAMPLE);
    if (wholeBytes > 0) yield* createReadStream(path, { end: wholeBytes - 1 });
    const next = parts[at + 1];
    if (!next) return;
    const gapMs = (await stat(next.path)).birthtimeMs - file.mtimeMs;
    const silentSamples = Math.round((Math.min(Math.max(gapMs, 0), LONGEST_GAP_MS) * sampleRateHz) / 1_000);
    yield Buffer.alloc(silentSamples * BYTES_PER_STEREO_SAMPLE);
  }
}
