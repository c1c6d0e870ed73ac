// Makes the sounds of src/voice/sounds anew: what is heard around an assistant, and the music of customers on hold.
// They are made of noise and sines, so there is no recording in them that anybody could own. `node scripts/make-sounds.mjs`
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { getFfmpegPath } from '@livekit/av';

const RATE = 16_000;
const SECONDS = 16;
/** The end is faded into the beginning over so long, so that the loop point cannot be heard. */
const SEAM_SECONDS = 1;
/** At full volume about 6 dB below a voice. */
const LEVEL_RMS = 0.06;
const BIT_RATE = '20k';
const TAU = 2 * Math.PI;

/** The same numbers for the same seed: the sounds are the same on every machine. 0 to 1. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A resonance (two poles) at a frequency, for noise with a colour and for voices. */
function resonance(hz, widthHz) {
  const radius = Math.exp((-Math.PI * widthHz) / RATE);
  const feedback = 2 * radius * Math.cos((TAU * hz) / RATE);
  const gain = (1 - radius) * Math.sqrt(1 - 2 * radius * Math.cos((2 * TAU * hz) / RATE) + radius ** 2);
  let last = 0;
  let beforeLast = 0;
  return (sample) => {
    const next = gain * sample + feedback * last - radius * radius * beforeLast;
    beforeLast = last;
    last = next;
    return next;
  };
}

/** Wind, traffic, air: noise around a frequency that swells and ebbs. */
function murmur(hz, widthHz, level, swellSeconds) {
  return (out, random) => {
    const filter = resonance(hz, widthHz);
    const phase = random() * TAU;
    for (let at = 0; at < out.length; at++) {
      const swell = 0.7 + 0.3 * Math.sin((TAU * at) / (swellSeconds * RATE) + phase);
      out[at] += filter(random() - 0.5) * level * swell;
    }
  };
}

const VOWELS_HZ = [
  [700, 1_220],
  [300, 2_200],
  [450, 1_900],
  [320, 800],
  [500, 1_000],
];

/**
 * A person who talks at some distance, in no language: syllables of a humming voice with pauses between the phrases.
 */
function talker(level) {
  return (out, random) => {
    const pitchHz = 95 + random() * 130;
    let at = Math.floor(random() * RATE);
    while (at < out.length) {
      const syllables = 3 + Math.floor(random() * 9);
      for (let syllable = 0; syllable < syllables && at < out.length; syllable++)
        at = speakSyllable(out, random, { at, pitchHz: pitchHz * (0.9 + random() * 0.25), level });
      at += Math.floor((0.3 + random() * 1.2) * RATE);
    }
  };
}

function speakSyllable(out, random, { at, pitchHz, level }) {
  const length = Math.floor((0.11 + random() * 0.13) * RATE);
  const [first, second] = VOWELS_HZ[Math.floor(random() * VOWELS_HZ.length)];
  const formants = [resonance(first, 90), resonance(second, 140)];
  let phase = 0;
  for (let index = 0; index < length && at + index < out.length; index++) {
    phase += pitchHz / RATE;
    const pulse = (phase % 1) - 0.5 + (random() - 0.5) * 0.15;
    const envelope = Math.sin((Math.PI * index) / length) ** 0.7;
    out[at + index] += (formants[0](pulse) + 0.5 * formants[1](pulse)) * envelope * level;
  }
  return at + length;
}

/** Things that are struck now and then: cups, keys of a keyboard. */
function struck({ hz: [lowest, highest], seconds, level, everySeconds }) {
  return (out, random) => {
    for (let at = gap(random, everySeconds); at < out.length; at += gap(random, everySeconds)) {
      const pitchHz = lowest + random() * (highest - lowest);
      const loudness = level * (0.3 + 0.7 * random());
      const length = Math.min(Math.floor(seconds * 5 * RATE), out.length - at);
      for (let index = 0; index < length; index++) {
        const time = index / RATE;
        const partials = Math.sin(TAU * pitchHz * time) + 0.5 * Math.sin(TAU * pitchHz * 2.41 * time);
        out[at + index] += partials * Math.exp(-time / seconds) * loudness;
      }
    }
  };
}

/** Something that comes near and goes away again, as a car does. */
function passing(hz, level, everySeconds) {
  return (out, random) => {
    for (let at = gap(random, everySeconds); at < out.length; at += gap(random, everySeconds)) {
      const filter = resonance(hz * (0.7 + 0.6 * random()), hz);
      const length = Math.min(Math.floor((2 + 2 * random()) * RATE), out.length - at);
      const loudness = level * (0.4 + 0.6 * random());
      for (let index = 0; index < length; index++)
        out[at + index] += filter(random() - 0.5) * Math.sin((Math.PI * index) / length) ** 2 * loudness;
    }
  };
}

/** A bird: a few notes that glide. */
function bird(lowestHz, level, everySeconds) {
  return (out, random) => {
    for (let at = gap(random, everySeconds); at < out.length; at += gap(random, everySeconds)) {
      const notes = 2 + Math.floor(random() * 5);
      const fromHz = lowestHz * (1 + random() * 0.4);
      const glideHz = lowestHz * (random() - 0.4);
      const length = Math.floor((0.06 + random() * 0.09) * RATE);
      const distance = level * (0.2 + 0.8 * random());
      for (let note = 0; note < notes; note++)
        chirp(out, { at: at + Math.floor(note * length * 1.5), length, fromHz, glideHz, level: distance });
    }
  };
}

function chirp(out, { at, length, fromHz, glideHz, level }) {
  let phase = 0;
  for (let index = 0; index < length && at + index < out.length; index++) {
    phase += (TAU * (fromHz + (glideHz * index) / length)) / RATE;
    out[at + index] += Math.sin(phase) * Math.sin((Math.PI * index) / length) * level;
  }
}

function gap(random, everySeconds) {
  return Math.max(Math.floor(-Math.log(1 - random()) * everySeconds * RATE), 1);
}

/** Semitones above A3 (220 Hz): four chords, each broken into eight notes of half a second. */
const CHORDS = [
  [0, 7, 12, 16],
  [-4, 3, 8, 12],
  [-7, 0, 5, 9],
  [-2, 5, 10, 14],
];
const PATTERN = [0, 1, 2, 3, 2, 1, 2, 1];

function melody(out) {
  const step = RATE / 2;
  // Two notes more than the loop has: they fill the seam, where the beginning sounds once more.
  for (let note = 0; note * step < out.length; note++) {
    const chord = CHORDS[Math.floor(note / PATTERN.length) % CHORDS.length];
    pluck(out, note * step, 220 * 2 ** (chord[PATTERN[note % PATTERN.length]] / 12));
  }
}

function pluck(out, at, hz) {
  const length = Math.min(1.6 * RATE, out.length - at);
  for (let index = 0; index < length; index++) {
    const time = index / RATE;
    const sound = Math.sin(TAU * hz * time) + 0.3 * Math.sin(2 * TAU * hz * time) * Math.exp(-time * 6);
    out[at + index] += sound * Math.min(time / 0.01, 1) * Math.exp(-time * 2.5);
  }
}

const talkers = (count, level) => Array.from({ length: count }, () => talker(level));

const SOUNDS = {
  office: [
    murmur(140, 90, 0.5, 7),
    murmur(900, 900, 0.06, 11),
    ...talkers(3, 0.5),
    struck({ hz: [1_900, 3_600], seconds: 0.006, level: 0.04, everySeconds: 0.16 }),
  ],
  city: [
    murmur(110, 120, 1.2, 9),
    murmur(500, 500, 0.25, 5),
    passing(260, 1.8, 3),
    passing(700, 0.5, 5),
    ...talkers(2, 0.3),
  ],
  forest: [
    murmur(400, 500, 0.3, 6),
    murmur(2_400, 1_800, 0.12, 4),
    bird(2_600, 0.05, 1.2),
    bird(3_600, 0.04, 1.7),
    bird(1_700, 0.03, 4),
  ],
  crowded_room: [murmur(250, 250, 0.2, 8), ...talkers(14, 0.5)],
  cafe: [
    murmur(200, 200, 0.3, 8),
    ...talkers(7, 0.5),
    struck({ hz: [1_800, 4_200], seconds: 0.07, level: 0.06, everySeconds: 0.9 }),
  ],
  nature: [
    murmur(320, 400, 0.35, 5),
    murmur(1_500, 1_600, 0.2, 3),
    murmur(4_200, 900, 0.08, 0.7),
    bird(2_200, 0.03, 3),
  ],
  hold_music: [melody],
};

function seamless(whole) {
  const seam = SEAM_SECONDS * RATE;
  const loop = whole.slice(0, whole.length - seam);
  for (let at = 0; at < seam; at++) {
    const share = at / seam;
    loop[at] = loop[at] * Math.sqrt(share) + whole[loop.length + at] * Math.sqrt(1 - share);
  }
  return loop;
}

/** The whole at its level. */
function levelled(samples) {
  const rms = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  return Int16Array.from(samples, (sample) =>
    Math.round(Math.max(-0.98, Math.min(0.98, (sample * LEVEL_RMS) / rms)) * 32_767),
  );
}

for (const [name, layers] of Object.entries(SOUNDS)) {
  const random = randomFrom(name.length);
  const whole = new Float32Array((SECONDS + SEAM_SECONDS) * RATE);
  for (const layer of layers) layer(whole, random);
  const samples = levelled(seamless(whole));
  const path = join(import.meta.dirname, '..', 'src', 'voice', 'sounds', `${name}.opus`);
  const input = ['-f', 's16le', '-ar', String(RATE), '-ac', '1', '-i', '-'];
  const output = ['-c:a', 'libopus', '-b:a', BIT_RATE, '-fflags', '+bitexact', '-f', 'ogg', '-y', path];
  execFileSync(getFfmpegPath(), ['-hide_banner', '-loglevel', 'error', ...input, ...output], {
    input: Buffer.from(samples.buffer),
  });
  console.log(path);
}
