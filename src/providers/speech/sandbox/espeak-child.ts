// The process that runs espeak-ng, a program under the GPL-3.0. It knows lines of text and nothing else of the platform.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import load from '@echogarden/espeak-ng-emscripten';
import { type EspeakReply, type EspeakRequest, READY } from './espeak-protocol.js';

/** Spoken where espeak-ng does not know the language. */
const OTHER_VOICE = 'en-us';

const folder = dirname(createRequire(import.meta.url).resolve('@echogarden/espeak-ng-emscripten'));
const library = await load({ locateFile: (file) => join(folder, file) });
const speaker = await new library.eSpeakNGWorker();

function speak({ text, voice, wordsPerMinute }: EspeakRequest): Uint8Array {
  if (speaker.set_voice(voice) !== 0) speaker.set_voice(OTHER_VOICE);
  speaker.rate = wordsPerMinute;
  const pieces: Uint8Array[] = [];
  speaker.synthesize(text, (audio) => {
    if (audio && audio.length > 0) pieces.push(copyOf(audio));
    return 0;
  });
  return Buffer.concat(pieces);
}

/** The pieces lie in the library's memory, which it uses again. */
function copyOf(audio: ArrayLike<number>): Uint8Array {
  if (!ArrayBuffer.isView(audio)) return Uint8Array.from(audio);
  const view = audio as unknown as ArrayBufferView;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
}

function answer(request: EspeakRequest): EspeakReply {
  try {
    return { id: request.id, pcm: speak(request), sampleRateHz: speaker.samplerate };
  } catch (error) {
    return { id: request.id, error: String(error) };
  }
}

process.on('message', (request: EspeakRequest) => process.send?.(answer(request)));
process.on('disconnect', () => process.exit());
// The first line of all takes a second, until the code is compiled: it is said before anybody waits for one.
speak({ id: 0, text: 'Olá.', voice: 'pt-br', wordsPerMinute: 175 });
process.send?.(READY);
