import { samplesOf } from '@prosa/audio';
import { ffmpeg } from '../../../src/voice/audio/ffmpeg.js';

/** Both sides of a call as they were recorded: mono samples. */
export interface RecordingSides {
  readonly customer: Int16Array;
  readonly assistant: Int16Array;
}

/** Decodes the recording of a call: the customer is on the left. */
export async function recordingSides(
  path: string,
  rateHz: number,
  timeoutMs: number,
): Promise<RecordingSides> {
  const both = samplesOf(await ffmpeg(['-i', path, '-f', 's16le', '-ar', String(rateHz), '-'], timeoutMs));
  const [customer, assistant] = [0, 1].map((side) => both.filter((_, index) => index % 2 === side));
  return { customer: customer!, assistant: assistant! };
}
