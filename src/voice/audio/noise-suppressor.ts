import createRnnoise from '@echogarden/rnnoise-wasm';
import { Resampler } from '@prosa/audio';
import { SampleQueue } from '../../common/audio/sample-queue.js';

/** What RNNoise works on: 10 ms at 48 kHz, samples as floats of the size of PCM16. */
const RNNOISE_RATE_HZ = 48_000;
const RNNOISE_FRAME = 480;

interface RnnoiseModule {
  readonly HEAPF32: Float32Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _rnnoise_create(model: number): number;
  _rnnoise_destroy(state: number): void;
  _rnnoise_process_frame(state: number, output: number, input: number): number;
}

/** One for the process: the module is stateless apart from the states we create in it. */
let rnnoise: Promise<RnnoiseModule> | null = null;

/** Takes steady noise out of what a customer says (RNNoise). Makes a stream of samples about 20 ms late. */
export class NoiseSuppressor {
  private readonly up: Resampler;
  private readonly down: Resampler;
  private readonly waiting = new SampleQueue();
  private readonly state: number;
  private readonly buffer: number;
  private isClosed = false;

  private constructor(
    private readonly module: RnnoiseModule,
    fromHz: number,
    toHz: number,
  ) {
    this.up = new Resampler(fromHz, RNNOISE_RATE_HZ);
    this.down = new Resampler(RNNOISE_RATE_HZ, toHz);
    this.state = module._rnnoise_create(0);
    this.buffer = module._malloc(RNNOISE_FRAME * 4);
  }

  /** @param toHz the rate of what `process` returns */
  static async create(fromHz: number, toHz: number): Promise<NoiseSuppressor> {
    rnnoise ??= createRnnoise() as Promise<RnnoiseModule>;
    return new NoiseSuppressor(await rnnoise, fromHz, toHz);
  }

  /** After `close` it makes silence: the line may go on for some frames, and its memory is another stream's by then. */
  process(samples: Int16Array): Int16Array {
    if (this.isClosed) return this.down.process(new Int16Array(this.up.process(samples).length));
    this.waiting.push(this.up.process(samples));
    const clean = new Int16Array(Math.floor(this.waiting.length / RNNOISE_FRAME) * RNNOISE_FRAME);
    const frame = new Int16Array(RNNOISE_FRAME);
    for (let at = 0; at < clean.length; at += RNNOISE_FRAME) {
      this.waiting.read(frame);
      // The heap is looked up each time: it moves when the module's memory grows.
      const from = this.buffer / 4;
      this.module.HEAPF32.set(frame, from);
      this.module._rnnoise_process_frame(this.state, this.buffer, this.buffer);
      clean.set(this.module.HEAPF32.subarray(from, from + RNNOISE_FRAME), at);
    }
    return this.down.process(clean);
  }

  /** Frees what the module holds for this stream; once. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.module._rnnoise_destroy(this.state);
    this.module._free(this.buffer);
  }
}
