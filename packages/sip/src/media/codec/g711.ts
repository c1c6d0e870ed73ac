export type G711Codec = 'PCMU' | 'PCMA';

/** Samples a second of telephone audio. */
export const G711_SAMPLE_RATE_HZ = 8_000;

const ULAW_BIAS = 0x84;
const ULAW_CLIP = 32_635;

interface Tables {
  readonly decode: Int16Array;
  /** Index: the sample's 16 bits. */
  readonly encode: Uint8Array;
}

const TABLES: Readonly<Record<G711Codec, Tables>> = {
  PCMU: tablesOf(decodeUlaw, encodeUlaw),
  PCMA: tablesOf(decodeAlaw, encodeAlaw),
};

/** One byte a sample (ITU-T G.711) to PCM16. */
export function decodeG711(codec: G711Codec, bytes: Uint8Array): Int16Array {
  const table = TABLES[codec].decode;
  const samples = new Int16Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) samples[index] = table[bytes[index] ?? 0] ?? 0;
  return samples;
}

/** Writes the samples into `target` from `offset`. */
export function encodeG711(codec: G711Codec, samples: Int16Array, target: Uint8Array, offset = 0): void {
  const table = TABLES[codec].encode;
  for (let index = 0; index < samples.length; index++) {
    target[offset + index] = table[(samples[index] ?? 0) & 0xffff] ?? 0;
  }
}

function tablesOf(decode: (byte: number) => number, encode: (sample: number) => number): Tables {
  return {
    decode: Int16Array.from({ length: 256 }, (_, byte) => decode(byte)),
    encode: Uint8Array.from({ length: 65_536 }, (_, bits) => encode(bits < 32_768 ? bits : bits - 65_536)),
  };
}

function decodeUlaw(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = ((((inverted & 0x0f) << 3) + ULAW_BIAS) << ((inverted >> 4) & 7)) - ULAW_BIAS;
  return inverted & 0x80 ? -magnitude : magnitude;
}

function encodeUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), ULAW_CLIP) + ULAW_BIAS;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

function decodeAlaw(byte: number): number {
  const toggled = byte ^ 0x55;
  const exponent = (toggled >> 4) & 7;
  const mantissa = ((toggled & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return toggled & 0x80 ? magnitude : -magnitude;
}

function encodeAlaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  // Negative values are the ones' complement, as in the ITU's reference (G.191).
  const magnitude = Math.min(sample >= 0 ? sample : ~sample, 32_767);
  const exponent = magnitude < 256 ? 0 : 31 - Math.clz32(magnitude) - 7;
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}
