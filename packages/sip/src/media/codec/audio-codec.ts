import { frameLength, FRAME_MS, type SampleRateHz } from '@prosa/audio';
import { OCTET_SCALE, type StreamScale } from '../jitter-buffer.js';
import { decodeG711, encodeG711, G711_SAMPLE_RATE_HZ } from './g711.js';
import { G722_SAMPLE_RATE_HZ, G722Decoder, G722Encoder } from './g722.js';
import { OPUS_CLOCK_HZ, OPUS_PARAMETERS, OPUS_SAMPLE_RATE_HZ, OpusDecoder, OpusEncoder } from './opus.js';

/** By their names in SDP, in capitals. The order is that of our offers: wide band first. */
export const AUDIO_CODECS = ['G722', 'OPUS', 'PCMU', 'PCMA'] as const;
export type AudioCodec = (typeof AUDIO_CODECS)[number];

/** Both laws of G.711: what every telephone can. */
export const NARROW_CODECS: readonly AudioCodec[] = ['PCMU', 'PCMA'];

/** Ticks a second of the RTP timestamps of telephone codecs: G.722 has it too, with two samples a tick (RFC 3551 §4.5.2). */
export const RTP_CLOCK_HZ = 8_000;

/** Of one stream; what comes next depends on what came before. */
export interface SpeechEncoder {
  /** The payload of a packet of 20 ms. */
  encode(samples: Int16Array): Uint8Array;
}

export interface SpeechDecoder {
  /** @throws where the octets are no sound of this codec */
  decode(octets: Uint8Array): Int16Array;
}

interface CodecFacts {
  /** The number that means the codec without an rtpmap (RFC 3551 §6); for others, the one that we would give it. */
  readonly payloadType: number;
  readonly isStatic: boolean;
  /** Whether our own offers name it. All are taken where a peer offers them. */
  readonly isOffered: boolean;
  /** As written in SDP. */
  readonly sdpName: string;
  /** Ticks a second of its timestamps. */
  readonly clockRateHz: number;
  readonly sdpChannels?: number;
  readonly sdpParameters?: string;
  readonly sampleRateHz: SampleRateHz;
  /** What waits in the jitter buffer: octets, as packets of such codecs can be cut anywhere, or samples of decoded packets. */
  readonly scale: StreamScale;
  makeEncoder(): SpeechEncoder;
  makeDecoder(): SpeechDecoder;
}

const OPUS_SCALE: StreamScale = {
  valuesPerMs: OPUS_SAMPLE_RATE_HZ / 1_000,
  ticksPerValue: OPUS_CLOCK_HZ / OPUS_SAMPLE_RATE_HZ,
};

const FACTS: Readonly<Record<AudioCodec, CodecFacts>> = {
  G722: {
    ...octetsOf('G722', 9),
    sampleRateHz: G722_SAMPLE_RATE_HZ,
    makeEncoder: () => new G722Encoder(),
    makeDecoder: () => new G722Decoder(),
  },
  OPUS: {
    payloadType: 111,
    isStatic: false,
    // Its lines would make an INVITE longer than UDP carries, and trunks of operators do not have it.
    isOffered: false,
    // RFC 7587 §7: always this clock and two channels, for any content.
    sdpName: 'opus',
    clockRateHz: OPUS_CLOCK_HZ,
    sdpChannels: 2,
    sdpParameters: OPUS_PARAMETERS,
    sampleRateHz: OPUS_SAMPLE_RATE_HZ,
    scale: OPUS_SCALE,
    makeEncoder: () => new OpusEncoder(),
    makeDecoder: () => new OpusDecoder(),
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

/** RTP ticks of a frame of 20 ms. */
export function frameTicksOf(codec: AudioCodec): number {
  return (FACTS[codec].clockRateHz / 1_000) * FRAME_MS;
}

function octetsOf(sdpName: string, payloadType: number) {
  return {
    payloadType,
    isStatic: true,
    isOffered: true,
    sdpName,
    clockRateHz: RTP_CLOCK_HZ,
    scale: OCTET_SCALE,
  } as const;
}

function g711Facts(codec: 'PCMU' | 'PCMA', payloadType: number): CodecFacts {
  return {
    ...octetsOf(codec, payloadType),
    sampleRateHz: G711_SAMPLE_RATE_HZ,
    makeEncoder: () => ({ encode: (samples) => encodedG711(codec, samples) }),
    makeDecoder: () => ({ decode: (octets) => decodeG711(codec, octets) }),
  };
}

function encodedG711(codec: 'PCMU' | 'PCMA', samples: Int16Array): Uint8Array {
  const octets = new Uint8Array(samples.length);
  encodeG711(codec, samples, octets);
  return octets;
}
