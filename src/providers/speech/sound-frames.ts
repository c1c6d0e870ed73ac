import { setImmediate } from 'node:timers/promises';
import type { tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { SampleQueue } from '../../common/audio/sample-queue.js';

const FRAMES_PER_SECOND = 50;
/** A tenth of a second. */
const FRAMES_AT_ONCE = 5;

/**
 * Sound as frames of 20 ms, in the order it comes; the last one may be shorter. The other calls of the process have their turn
 * in between: a line of five seconds made in one go would keep all of them from being heard for as long as that takes.
 *
 * @param parts mono, signed 16 bits, at the rate; of any length
 */
export async function* framesOf(
  parts: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  sampleRateHz: number,
): AsyncGenerator<AudioFrame> {
  const waiting = new SampleQueue();
  const frameSamples = sampleRateHz / FRAMES_PER_SECOND;
  const take = (length: number) => {
    const samples = new Int16Array(length);
    waiting.read(samples);
    return new AudioFrame(samples, sampleRateHz, 1, length);
  };
  let made = 0;
  for await (const part of parts) {
    waiting.push(part);
    while (waiting.length >= frameSamples) {
      yield take(frameSamples);
      if (++made % FRAMES_AT_ONCE === 0) await setImmediate();
    }
  }
  if (waiting.length > 0) yield take(waiting.length);
}

/**
 * An utterance as one frame. Plugins copy their frames one after another, all that is there each time: six seconds of frames of
 * 10 ms take them a tenth of a second, in which no other call is heard.
 *
 * @param frames mono, of one rate; at least one
 */
export function joined(frames: readonly AudioFrame[]): AudioFrame {
  const [first] = frames;
  if (!first) throw new RangeError('There is no frame to join.');
  const samples = new Int16Array(frames.reduce((length, { data }) => length + data.length, 0));
  let at = 0;
  for (const { data } of frames) {
    samples.set(data, at);
    at += data.length;
  }
  return new AudioFrame(samples, first.sampleRate, 1, samples.length);
}

/** Where a voice puts its sound. */
interface SoundQueue {
  readonly closed: boolean;
  put(sound: tts.SynthesizedAudio): void;
}

/** Puts a line into the queue as {@link framesOf} makes frames of it, until the reader has left. */
export async function putSound(
  queue: SoundQueue,
  id: string,
  ...sound: Parameters<typeof framesOf>
): Promise<void> {
  for await (const frame of framesOf(...sound)) {
    if (queue.closed) return;
    queue.put({ requestId: id, segmentId: id, frame, final: false });
  }
}
