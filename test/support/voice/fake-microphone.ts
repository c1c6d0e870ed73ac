import { writeFile } from 'node:fs/promises';

const HEADER_BYTES = 44;
const PCM = 1;

/** Writes a mono WAV file: silence, and then what is said. */
export async function writeMicrophone(
  path: string,
  sampleRateHz: number,
  said: Int16Array,
  silenceMs: number,
): Promise<void> {
  const silent = Math.round((silenceMs * sampleRateHz) / 1_000);
  const sound = new Int16Array(silent + said.length);
  sound.set(said, silent);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + sound.byteLength, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(sound.byteLength, 40);
  await writeFile(path, Buffer.concat([header, Buffer.from(sound.buffer)]));
}

/** Arguments of Chromium whose microphone hears a WAV file over and over, and whose user lets every page have it. */
export function microphoneArgs(path: string): string[] {
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${path}`,
  ];
}

/** A moment of a page: milliseconds since it was loaded, and the level, 0 to 1. */
export interface Level {
  readonly atMs: number;
  readonly level: number;
}

/**
 * Runs in a page before its own scripts: `levels.microphone` and `levels.speaker` become the levels of what comes from the
 * microphone and goes to the speaker, by WebAudio, one every 20 ms while there is any.
 */
export const MEASURE_SOUND = `
  window.levels = { microphone: [], speaker: [] };
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (this instanceof MediaStreamAudioSourceNode) measure(this, window.levels.microphone);
    if (target === this.context.destination) measure(this, window.levels.speaker);
    return connect.call(this, target, ...rest);
  };
  function measure(node, levels) {
    const analyser = node.context.createAnalyser();
    analyser.fftSize = 1024;
    connect.call(node, analyser);
    const samples = new Float32Array(analyser.fftSize);
    const timer = setInterval(() => {
      if (node.context.state === 'closed') return clearInterval(timer);
      analyser.getFloatTimeDomainData(samples);
      const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
      levels.push({ atMs: performance.now(), level: Math.sqrt(energy / samples.length) });
    }, 20);
  }
`;
