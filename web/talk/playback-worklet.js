// Plays a stream of 24 kHz PCM16, mono or interleaved stereo. Runs in the browser's audio thread.
//
// The buffer adapts: it starts with 60 ms of sound. Above 100 ms it drops silent frames,
// so that a stall of the network does not delay the rest of the call. For people who listen live it also
// drops the oldest sound above 400 ms, because two voices, noise or music leave no silence to drop.

const RATE_HZ = 24_000;
const FRAME_SAMPLES = 480;
const START_SAMPLES = (RATE_HZ / 1000) * 60;
const MANY_SAMPLES = (RATE_HZ / 1000) * 100;
const MOST_SAMPLES = RATE_HZ * 20;
const MOST_LIVE_SAMPLES = (RATE_HZ / 1000) * 400;
const SILENCE = 0.003;
/** A new level this often. */
const LEVEL_BLOCKS = 8;

class Playback extends AudioWorkletProcessor {
  constructor({ processorOptions: { channels = 1, isLive = false } = {} }) {
    super();
    this.channels = channels;
    this.isLive = isLive;
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
    if (this.isLive && this.waiting > MOST_LIVE_SAMPLES)
      while (this.waiting > START_SAMPLES) this.waiting -= this.frames.shift().length / this.channels;
    this.frames.push(frame);
    this.waiting += frame.length / this.channels;
  }

  process(_inputs, [output]) {
    const { length } = output[0];
    const step = RATE_HZ / sampleRate;
    if (!this.playing && this.waiting >= START_SAMPLES) this.playing = true;
    let energy = 0;
    for (let index = 0; this.playing && index < length; index++) energy += this.next(step, output, index);
    if (++this.blocks % LEVEL_BLOCKS === 0)
      this.port.postMessage({
        level: Math.sqrt(energy / length),
        playedMs: (this.played / RATE_HZ) * 1000,
      });
    return true;
  }

  /**
   * Writes the sound between two samples, on a straight line from one to the other. Mono goes to both sides.
   *
   * @returns its energy
   */
  next(step, output, at) {
    const { channels, frames } = this;
    if (frames.length === 0) {
      this.playing = false;
      return 0;
    }
    const index = Math.floor(this.position);
    let energy = 0;
    for (let side = 0; side < output.length; side++) {
      const channel = side % channels;
      const value = this.between(index, channel, this.position - index);
      output[side][at] = value;
      energy += (value * value) / output.length;
    }
    this.position += step;
    while (frames.length > 0 && this.position >= frames[0].length / channels) {
      const length = frames.shift().length / channels;
      this.position -= length;
      this.waiting -= length;
      this.played += length;
    }
    return energy;
  }

  between(index, channel, share) {
    const { channels, frames } = this;
    const at = index * channels + channel;
    const sample = frames[0][at];
    const after = frames[0][at + channels] ?? frames[1]?.[channel] ?? sample;
    return (sample * (1 - share) + after * share) / 32_768;
  }
}

function isSilent(frame) {
  let energy = 0;
  for (const sample of frame) energy += (sample / 32_768) ** 2;
  return Math.sqrt(energy / Math.max(1, frame.length || FRAME_SAMPLES)) < SILENCE;
}

registerProcessor('playback', Playback);
