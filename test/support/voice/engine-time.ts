import { setImmediate } from 'node:timers/promises';
import { inference, type VADStream } from '@livekit/agents';
import { jest } from '@jest/globals';
import { SystemClock } from '../../../src/common/time/clock.js';

/** Rounds of the event loop that let everything happen which waits for no time. */
const ROUNDS = 30;

/**
 * Time that passes only when nothing is left to do in it, for a whole call in sound: timers, dates and the line's frames
 * are of this time, while the work between them is real, so that a call is over as soon as it is worked out.
 */
export class EngineTime {
  readonly clock = new SystemClock();
  /** Windows of sound that the detector of speech is working on, in threads of its own. */
  private static detecting = 0;

  /** All timers of this process stand still from now on, until `stop`. */
  static start(): void {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] });
    const streamOf = Object.getOwnPropertyDescriptor(inference.VAD.prototype, 'stream')
      ?.value as () => VADStream;
    const watched = function (this: inference.VAD) {
      return EngineTime.watched(streamOf.call(this));
    };
    jest.spyOn(inference.VAD.prototype, 'stream').mockImplementation(watched);
  }

  static stop(): void {
    jest.restoreAllMocks();
    jest.useRealTimers();
  }

  /** Lets time pass, timer by timer, until the promise settles. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    promise.then(settle, settle);
    for (;;) {
      await this.quiet();
      if (settled) return promise;
      if (jest.getTimerCount() === 0) throw new Error('Nothing more happens.');
      jest.advanceTimersToNextTimer();
    }
  }

  private async quiet(): Promise<void> {
    do for (let round = 0; round < ROUNDS; round++) await setImmediate();
    while (EngineTime.detecting > 0);
  }

  /** The detector answers from another thread: time waits for it. */
  private static watched<Stream extends VADStream>(stream: Stream): Stream {
    const { _nativeVad: native } = stream as unknown as { _nativeVad: NativeVad };
    const predict = native.predict.bind(native);
    native.predict = async (samples) => {
      EngineTime.detecting++;
      try {
        return await predict(samples);
      } finally {
        EngineTime.detecting--;
      }
    };
    return stream;
  }
}

interface NativeVad {
  predict(samples: Int16Array): Promise<number>;
}
