// Turns the microphone into PCM16 at 24 kHz, in messages of 20 ms. Runs in the browser's audio thread.

const RATE_HZ = 24_000;
const FRAME_SAMPLES = 480;

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.frame = new Int16Array(FRAME_SAMPLES);
    this.filled = 0;
    /** Samples of the microphone for each of ours. */
    this.step = sampleRate / RATE_HZ;
    this.sum = 0;
    this.weight = 0;
    this.energy = 0;
  }

  process([input]) {
    const samples = input?.[0];
    if (samples) for (const sample of samples) this.take(sample);
    return true;
  }

  /** Each output sample is the mean of its period, which removes frequencies that 24 kHz cannot carry. */
  take(sample) {
    const missing = this.step - this.weight;
    if (missing > 1) {
      this.sum += sample;
      this.weight += 1;
      return;
    }
    this.put((this.sum + sample * missing) / this.step);
    this.sum = sample * (1 - missing);
    this.weight = 1 - missing;
    // The microphone is slower than our rate: repeats its samples.
    while (this.weight >= this.step) {
      this.put(sample);
      this.weight -= this.step;
      this.sum = sample * this.weight;
    }
  }

  put(value) {
    const clipped = Math.max(-1, Math.min(1, value));
    this.energy += clipped * clipped;
    this.frame[this.filled++] = Math.round(clipped * 32_767);
    if (this.filled < FRAME_SAMPLES) return;
    const level = Math.sqrt(this.energy / FRAME_SAMPLES);
    this.port.postMessage({ frame: this.frame.buffer, level }, [this.frame.buffer]);
    this.frame = new Int16Array(FRAME_SAMPLES);
    this.filled = 0;
    this.energy = 0;
  }
}

registerProcessor('capture', Capture);
