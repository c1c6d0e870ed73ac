import { frameLength } from '../../../../../common/audio/pcm.js';
import { FRAME_MS, type SampleRateHz } from '../../../call-audio.js';
import { decodeG711, encodeG711, G711_SAMPLE_RATE_HZ } from './g711.js';
import { G722_SAMPLE_RATE_HZ, G722Decoder, G722Encoder } from './g722.js';

/** By their names in SDP. The order is that of our offers: wide band first. */
export const AUDIO_CODECS = ['G722', 'PCMU', 'PCMA'] as const;
export type AudioCodec = (typeof AUDIO_CODECS)[number];

/** Both laws of G.711: what every telephone can. */
export const NARROW_CODECS: readonly AudioCodec[] = ['PCMU', 'PCMA'];

/**
 * Ticks a second of RTP timestamps, of telephone events too. All codecs here make one octet a tick: G.722 has the clock of
 * narrow band, although it carries two samples a tick (RFC 3551 §4.5.2).
 */
export const RTP_CLOCK_HZ = 8_000;
/** Ticks, and so octets, of a frame. */
export const FRAME_TICKS = (RTP_CLOCK_HZ / 1_000) * FRAME_MS;

/** Of one stream; what comes next depends on what came before. */
export interface SpeechEncoder {
  /** Writes one octet a tick into `target`. */
  encode(samples: Int16Array, target: Uint8Array): void;
}

export interface SpeechDecoder {
  decode(octets: Uint8Array): Int16Array;
}

interface CodecFacts {
  /** The number that means the codec without an rtpmap (RFC 3551 §6). */
  readonly payloadType: number;
  readonly sampleRateHz: SampleRateHz;
  makeEncoder(): SpeechEncoder;
  makeDecoder(): SpeechDecoder;
}

const FACTS: Readonly<Record<AudioCodec, CodecFacts>> = {
  G722: {
    payloadType: 9,
    sampleRateHz: G722_SAMPLE_RATE_HZ,
    makeEncoder: () => new G722Encoder(),
    makeDecoder: () => new G722Decoder(),
  },
  PCMU: g711Facts('PCMU', 0),
  PCMA: g711Facts('PCMA', 8),
};

export function factsOf(codec: AudioCodec): CodecFacts {
  return FACTS[codec];
}

/** Samples of a frame, as the codec takes and makes them. */
export function frameSamplesOf(codec: AudioCodec): number {
  return frameLength(FACTS[codec].sampleRateHz);
}

function g711Facts(codec: 'PCMU' | 'PCMA', payloadType: number): CodecFacts {
  return {
    payloadType,
    sampleRateHz: G711_SAMPLE_RATE_HZ,
    makeEncoder: () => ({ encode: (samples, target) => encodeG711(codec, samples, target) }),
    makeDecoder: () => ({ decode: (octets) => decodeG711(codec, octets) }),
  };
}
