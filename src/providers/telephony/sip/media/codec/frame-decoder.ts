import { LossConcealment } from '../loss-concealment.js';
import {
  AUDIO_CODECS,
  type AudioCodec,
  factsOf,
  FRAME_TICKS,
  frameSamplesOf,
  type SpeechDecoder,
} from './audio-codec.js';

/** Octets of a packet, each with the codec it is in, as the jitter buffer keeps them. */
export function codedOctets(codec: AudioCodec, payload: Uint8Array): Int16Array {
  const mark = AUDIO_CODECS.indexOf(codec) << 8;
  const coded = new Int16Array(payload.length);
  for (let index = 0; index < payload.length; index++) coded[index] = mark | (payload[index] ?? 0);
  return coded;
}

/** Makes samples of the frames of one stream, in their order, and fills those that are missing. */
export class FrameDecoder {
  private codec: AudioCodec = 'PCMU';
  private decoder: SpeechDecoder = factsOf('PCMU').makeDecoder();
  private concealment = new LossConcealment(frameSamplesOf('PCMU'));
  private readonly octets = new Uint8Array(FRAME_TICKS);

  /** A codec was agreed on: until a frame in it is there, silence has its length. */
  expect(codec: AudioCodec): void {
    if (codec === this.codec) return;
    const isOtherRate = frameSamplesOf(codec) !== frameSamplesOf(this.codec);
    this.codec = codec;
    this.decoder = factsOf(codec).makeDecoder();
    if (isOtherRate) this.concealment = new LossConcealment(frameSamplesOf(codec));
  }

  /** @param coded as `codedOctets` makes them; null for a frame that is missing */
  decode(coded: Int16Array | null): Int16Array {
    if (coded === null) return this.concealment.conceal();
    // A peer may change between codecs that were agreed on; a frame that has two is told by its first octet.
    this.expect(AUDIO_CODECS[(coded[0] ?? 0) >> 8] ?? this.codec);
    for (let index = 0; index < FRAME_TICKS; index++) this.octets[index] = (coded[index] ?? 0) & 0xff;
    return this.concealment.receive(this.decoder.decode(this.octets));
  }
}
