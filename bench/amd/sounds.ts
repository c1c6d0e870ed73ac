import { execFileSync } from 'node:child_process';
import { samplesOf } from '@prosa/audio';

export const RATE_HZ = 8_000;

/** Level of speech, as root mean square. */
const SPEECH_LEVEL = 0.1;

export interface Speaker {
  /** Of espeak-ng, with its variant: `pt-br+f2`. */
  readonly voice: string;
  readonly wordsAMinute: number;
  /** 0 to 99. */
  readonly pitch: number;
}

/** How a line sounds. Levels are in dB against the speech. */
export interface Condition {
  readonly name: string;
  readonly noise?: { readonly kind: 'brownnoise' | 'pinknoise' | 'voices'; readonly levelDb: number };
  readonly gainDb?: number;
  /** Band, G.711 and lost packets. */
  readonly lostShare?: number;
  /** Of the words that the recogniser misses. */
  readonly missedWords: number;
}

export const CLEAN: Condition = { name: 'clean', missedWords: 0 };
export const CONDITIONS: readonly Condition[] = [
  CLEAN,
  { name: 'street', noise: { kind: 'brownnoise', levelDb: -12 }, missedWords: 0.05 },
  { name: 'hiss', noise: { kind: 'pinknoise', levelDb: -15 }, missedWords: 0.05 },
  { name: 'voices behind', noise: { kind: 'voices', levelDb: -14 }, missedWords: 0.1 },
  { name: 'quiet', gainDb: -10, missedWords: 0.05 },
  { name: 'bad line', lostShare: 0.04, missedWords: 0.1 },
];

/** @throws naming the programs that are missing */
export function requirePrograms(): void {
  const missing = ['espeak-ng', 'sox'].filter((program) => {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0)
    throw new Error(
      `The sounds of this bench are made by espeak-ng and sox, and ${missing.join(' and ')} cannot be run. ` +
        'On Debian and Ubuntu: apt-get install espeak-ng sox',
    );
}

const spokenBefore = new Map<string, Int16Array>();

export function spoken(text: string, { voice, wordsAMinute, pitch }: Speaker): Int16Array {
  const key = `${voice} ${wordsAMinute} ${pitch} ${text}`;
  const before = spokenBefore.get(key);
  if (before) return before;
  const args = ['-v', voice, '-s', String(wordsAMinute), '-p', String(pitch), '--stdout', text];
  const wave = execFileSync('espeak-ng', args, { maxBuffer: 1 << 26 });
  const samples = levelled(trimmed(sox(['-t', 'wav', '-'], ['rate', String(RATE_HZ)], wave)));
  spokenBefore.set(key, samples);
  return samples;
}

/** A tone with soft ends. @param overtone share of its third harmonic */
export function tone(hz: number, ms: number, amplitude = 0.25, overtone = 0): Int16Array {
  const length = (RATE_HZ * ms) / 1_000;
  return Int16Array.from({ length }, (_, index) => {
    const angle = (2 * Math.PI * hz * index) / RATE_HZ;
    const edge = Math.min(1, index / 40, (length - index) / 40);
    return Math.round((Math.sin(angle) + overtone * Math.sin(3 * angle)) * amplitude * edge * 32_767);
  });
}

export function silence(ms: number): Int16Array {
  return new Int16Array((RATE_HZ * ms) / 1_000);
}

/** A chord that changes, as hold music. */
export function music(ms: number): Int16Array {
  const chords = [262, 330, 392].map((hz) => [hz, hz * 1.25, hz * 1.5]);
  return Int16Array.from({ length: (RATE_HZ * ms) / 1_000 }, (_, index) => {
    const chord = chords[Math.floor(index / RATE_HZ) % chords.length] ?? [];
    const beat = 0.4 + 0.6 * Math.exp(-((index % 2_000) / 900));
    const sum = chord.reduce((total, hz) => total + Math.sin((2 * Math.PI * hz * index) / RATE_HZ), 0);
    return Math.round(sum * 3_000 * beat);
  });
}

export class Line {
  private readonly noise: Int16Array | null;
  private readonly gain: number;
  private at = 0;

  constructor(
    private readonly condition: Condition,
    private readonly random: () => number,
  ) {
    const { noise, gainDb = 0 } = condition;
    this.noise = noise ? noiseOf(noise.kind, noise.levelDb) : null;
    this.gain = 10 ** (gainDb / 20);
    this.at = Math.floor(random() * (this.noise?.length ?? 1));
  }

  /** What arrives of a frame. */
  carry(frame: Int16Array): Int16Array {
    const { lostShare = 0 } = this.condition;
    if (lostShare > 0 && this.random() < lostShare) return new Int16Array(frame.length);
    return frame.map((sample) => {
      const noise = this.noise ? (this.noise[this.at++ % this.noise.length] ?? 0) : 0;
      const sum = Math.max(-32_768, Math.min(32_767, Math.round((sample + noise) * this.gain)));
      return lostShare > 0 ? companded(sum) : sum;
    });
  }
}

const noises = new Map<string, Int16Array>();

function noiseOf(kind: NonNullable<Condition['noise']>['kind'], levelDb: number): Int16Array {
  const key = `${kind} ${levelDb}`;
  const before = noises.get(key);
  if (before) return before;
  const sound = kind === 'voices' ? voices() : hiss(kind);
  const factor = 10 ** (levelDb / 20);
  const samples = levelled(sound).map((sample) => Math.round(sample * factor));
  noises.set(key, samples);
  return samples;
}

/** The same in each run. */
function hiss(kind: string): Int16Array {
  return sox(['-R', '-n', '-r', String(RATE_HZ), '-c', '1'], ['synth', '20', kind, 'highpass', '200']);
}

/** Three who talk at once. */
function voices(): Int16Array {
  const text =
    'Ontem o governo anunciou novas medidas para o transporte, e o tempo continua firme em todo o país.';
  const [first = new Int16Array(), ...others] = ['pt-br+m3', 'pt-br+f4', 'es+m7'].map((voice, index) =>
    spoken(text, { voice, wordsAMinute: 150 + index * 20, pitch: 40 + index * 10 }),
  );
  const sum = (sample: number, index: number) =>
    others.reduce((total, other) => total + (other[index % other.length] ?? 0), sample);
  return first.map((sample, index) => Math.round(sum(sample, index) / 3));
}

function sox(input: readonly string[], effects: readonly string[], bytes?: Buffer): Int16Array {
  const output = ['-t', 'raw', '-e', 'signed', '-b', '16', '-c', '1', '-r', String(RATE_HZ), '-'];
  const args = ['-D', '-V1', ...input, ...output, ...effects];
  return samplesOf(execFileSync('sox', args, { input: bytes, maxBuffer: 1 << 26 })).slice();
}

/** Without the silence around it, as a recogniser and a person take a sentence. */
function trimmed(samples: Int16Array): Int16Array {
  const isLoud = (sample: number) => Math.abs(sample) > 300;
  const first = samples.findIndex(isLoud);
  const last = samples.findLastIndex(isLoud);
  return first === -1 ? samples : samples.slice(first, last + 1);
}

function levelled(samples: Int16Array): Int16Array {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const level = Math.sqrt(sum / samples.length) / 32_768;
  return samples.map((sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round((sample * SPEECH_LEVEL) / level))),
  );
}

/** There and back through μ-law (ITU-T G.711), by its formula. */
function companded(sample: number): number {
  const share = Math.min(Math.abs(sample) / 32_768, 1);
  const code = Math.round((Math.log1p(255 * share) / Math.log(256)) * 127) / 127;
  return Math.sign(sample) * Math.round(((256 ** code - 1) / 255) * 32_767);
}
