// Plays a stream of 24 kHz PCM16. Runs in the browser's audio thread.
//
// The buffer adapts: it starts with 60 ms of sound. Above 100 ms it drops silent frames,
// so that a stall of the network does not delay the rest of the call.

const RATE_HZ = 24_000;
const FRAME_SAMPLES = 480;
const START_SAMPLES = (RATE_HZ / 1000) * 60;
const MANY_SAMPLES = (RATE_HZ / 1000) * 100;
const MOST_SAMPLES = RATE_HZ * 20;
const SILENCE = 0.003;
/** A new level this often. */
const LEVEL_BLOCKS = 8;

class Playback extends AudioWorkletProcessor {
  constructor() {
    super();
    this.frames = [];
    this.waiting = 0;
    this.position = 0;
    this.playing = false;
    this.played = 0;
    this.blocks = 0;
    this.port.addEventListener('message', ({ data }) => {
      if (data === 'clear') this.clear();
      else this.add(new Int16Array(data));
    });
    this.port.start();
  }

  clear() {
    this.frames = [];
    this.waiting = 0;
    this.position = 0;
    this.playing = false;
  }

  add(frame) {
    if (this.waiting > MANY_SAMPLES && isSilent(frame)) return;
    if (this.waiting > MOST_SAMPLES) return;
    this.frames.push(frame);
    this.waiting += frame.length;
  }

  process(_inputs, [output]) {
    const channel = output[0];
    const step = RATE_HZ / sampleRate;
    if (!this.playing && this.waiting >= START_SAMPLES) this.playing = true;
    let energy = 0;
    for (let index = 0; this.playing && index < channel.length; index++) {
      const value = this.next(step);
      channel[index] = value;
      energy += value * value;
    }
    for (const other of output.slice(1)) other.set(channel);
    if (++this.blocks % LEVEL_BLOCKS === 0)
      this.port.postMessage({
        level: Math.sqrt(energy / channel.length),
        playedMs: (this.played / RATE_HZ) * 1000,
      });
    return true;
  }

  /** The sound between two samples, on a straight line from one to the other. */
  next(step) {
    const frame = this.frames[0];
    if (!frame) {
      this.playing = false;
      return 0;
    }
    const index = Math.floor(this.position);
    const share = this.position - index;
    const following = frame[index + 1] ?? this.frames[1]?.[0] ?? frame[index];
    const value = (frame[index] * (1 - share) + following * share) / 32_768;
    this.position += step;
    while (this.frames[0] && this.position >= this.frames[0].length) {
      const { length } = this.frames.shift();
      this.position -= length;
      this.waiting -= length;
      this.played += length;
    }
    return value;
  }
}

function isSilent(frame) {
  let energy = 0;
  for (const sample of frame) energy += (sample / 32_768) ** 2;
  return Math.sqrt(energy / Math.max(1, frame.length || FRAME_SAMPLES)) < SILENCE;
}

registerProcessor('playback', Playback);
