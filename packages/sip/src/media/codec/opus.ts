import { createRequire } from 'node:module';
import type { SampleRateHz } from '@prosa/audio';

/** Ticks a second of the timestamps of Opus, at any sample rate (RFC 7587 §4.1). */
export const OPUS_CLOCK_HZ = 48_000;
/** Wide band: what recognisers and voices use. The decoder makes it of anything that a peer sends. */
export const OPUS_SAMPLE_RATE_HZ: SampleRateHz = 16_000;

const BITS_PER_SECOND = 24_000;
/** Of 0 to 10. 10 takes twice the processor time, and sounds no better in speech of a telephone. */
const COMPLEXITY = 5;
/** Requests of opus_defines.h. */
const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;

/**
 * What we would like to get (RFC 7587 §6.1): wide band, in mono, without in-band correction, which the decoder could not use.
 */
export const OPUS_PARAMETERS = `maxplaybackrate=${OPUS_SAMPLE_RATE_HZ};sprop-maxcapturerate=${OPUS_SAMPLE_RATE_HZ};maxaveragebitrate=${BITS_PER_SECOND};stereo=0;useinbandfec=0`;

type Library = typeof import('@evan/opus/wasm/index.js');

let library: Library | null = null;

/**
 * As WebAssembly, also where the package has native code: packets come from anybody, and an error in the decoder then stays
 * within its own memory. Compiled with the first call that uses it, which takes some 20 ms.
 */
function loaded(): Library {
  library ??= createRequire(import.meta.url)('@evan/opus/wasm/index.js') as Library;
  return library;
}

/** libopus for speech. */
export class OpusEncoder {
  private readonly encoder = new (loaded().Encoder)({
    channels: 1,
    sample_rate: OPUS_SAMPLE_RATE_HZ,
    application: 'voip',
  });

  constructor() {
    this.encoder.ctl(SET_BITRATE, BITS_PER_SECOND);
    this.encoder.ctl(SET_COMPLEXITY, COMPLEXITY);
  }

  /** @param samples of 20 ms at {@link OPUS_SAMPLE_RATE_HZ} */
  encode(samples: Int16Array): Uint8Array {
    return this.encoder.encode(samples);
  }
}

/** The other way, in mono, for packets of 2.5 to 120 ms. */
export class OpusDecoder {
  private readonly decoder = new (loaded().Decoder)({ channels: 1, sample_rate: OPUS_SAMPLE_RATE_HZ });

  /** @throws where the packet is no Opus */
  decode(packet: Uint8Array): Int16Array {
    const octets = this.decoder.decode(packet);
    return new Int16Array(octets.buffer, octets.byteOffset, octets.byteLength / 2);
  }
}
