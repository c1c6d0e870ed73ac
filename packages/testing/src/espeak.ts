import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { resampled, samplesOf } from '@prosa/audio';

const PACKAGE = '@echogarden/espeak-ng-emscripten';
const RATE_HZ = 22_050;

interface EspeakWorker {
  set_voice(voice: string): void;
  synthesize(text: string, onSound: (sound: ArrayBuffer | ArrayBufferView | null) => number): void;
}

let worker: Promise<EspeakWorker> | null = null;

async function load(): Promise<EspeakWorker> {
  const folder = dirname(createRequire(import.meta.url).resolve(PACKAGE));
  const { default: start } = (await import(PACKAGE)) as {
    default: (options: object) => Promise<{ eSpeakNGWorker: new () => EspeakWorker }>;
  };
  const library = await start({ locateFile: (path: string) => join(folder, path) });
  return new library.eSpeakNGWorker();
}

/** Words as a voice of espeak-ng says them: what a detector of speech takes for speech. */
export async function spoken(text: string, sampleRateHz: number, voice = 'pt-br'): Promise<Int16Array> {
  worker ??= load();
  const espeak = await worker;
  espeak.set_voice(voice);
  const parts: Uint8Array[] = [];
  espeak.synthesize(text, (sound) => {
    if (sound) parts.push(bytesOf(sound));
    return 0;
  });
  return resampled(samplesOf(Buffer.concat(parts)), RATE_HZ, sampleRateHz);
}

/** A copy: the library uses its memory again. */
function bytesOf(sound: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(sound)
    ? new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength).slice()
    : new Uint8Array(sound).slice();
}
