import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { getFfmpegPath } from '@livekit/av';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Bound to glibc on Linux, and to the platforms it is built for; elsewhere calls are neither recorded nor in an office. */
export class FfmpegMissing extends Error {
  override readonly name = 'FfmpegMissing';
  override readonly message = 'There is no ffmpeg for this platform in @livekit/av.';
}

export function canPackRecordings(): boolean {
  return getFfmpegPath() !== undefined;
}

/**
 * Runs the ffmpeg of @livekit/av (Opus, FLAC, WAV) in a process of its own, at a lower priority than calls.
 *
 * @returns what it wrote to its output, at most 64 MiB
 * @throws FfmpegMissing, or the error of the process with its last words as `stderr`
 */
export async function ffmpeg(args: readonly string[], timeoutMs: number): Promise<Buffer> {
  const path = getFfmpegPath();
  if (path === undefined) throw new FfmpegMissing();
  const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error', ...args];
  // `nice` is everywhere where the bundled ffmpeg is, except on Windows, which has no bundle worth slowing down.
  const [file, all] = process.platform === 'win32' ? [path, quiet] : ['nice', ['-n', '10', path, ...quiet]];
  const { stdout } = await run(file, all, {
    encoding: 'buffer',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return stdout;
}
