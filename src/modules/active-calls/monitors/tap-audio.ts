import type { CallAudio } from '@prosa/audio';
import type { StereoSound } from './stereo-sound.js';

/** The same audio of a line, of which both directions are copied. What is heard and sent stays as it is. */
export function tapAudio(audio: CallAudio, sound: Pick<StereoSound, 'heard' | 'sent'>): CallAudio {
  const { sampleRateHz } = audio;
  return {
    sampleRateHz,
    heard: tapped(audio.heard, (frame) => sound.heard(frame, sampleRateHz)),
    send: (frame) => {
      sound.sent(frame, sampleRateHz);
      audio.send(frame);
    },
    clear: () => audio.clear(),
  };
}

function tapped(
  frames: AsyncIterable<Int16Array>,
  onFrame: (frame: Int16Array) => void,
): AsyncIterable<Int16Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const reader = frames[Symbol.asyncIterator]();
      return {
        next: async () => {
          const read = await reader.next();
          if (!read.done) onFrame(read.value);
          return read;
        },
        return: async () => (await reader.return?.()) ?? { value: undefined, done: true },
      };
    },
  };
}
