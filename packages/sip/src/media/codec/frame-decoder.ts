import { FRAME_MS } from '@prosa/audio';
import { OCTET_SCALE } from '../jitter-buffer.js';
import { LossConcealment } from '../loss-concealment.js';
import { AUDIO_CODECS, type AudioCodec, factsOf, frameSamplesOf, type SpeechDecoder } from './audio-codec.js';

const FRAME_OCTETS = OCTET_SCALE.valuesPerMs * FRAME_MS;

/**
 * From the packets of one stream to the values that wait in the jitter buffer, and from frames of those to samples. Octets are
 * decoded behind the buffer, in their order; packets of other codecs before it. Frames that are missing are filled.
 */
export class FrameDecoder {
  private codec: AudioCodec = 'PCMU';
  private decoder: SpeechDecoder = factsOf('PCMU').makeDecoder();
  private concealment = new LossConcealment(frameSamplesOf('PCMU'));
  private readonly octets = new Uint8Array(FRAME_OCTETS);

  /** A codec was agreed on: until a frame in it is there, silence has its length. */
  expect(codec: AudioCodec): void {
    if (codec === this.codec) return;
    const isOtherRate = frameSamplesOf(codec) !== frameSamplesOf(this.codec);
    this.codec = codec;
    this.decoder = factsOf(codec).makeDecoder();
    if (isOtherRate) this.concealment = new LossConcealment(frameSamplesOf(codec));
  }

  /**
   * What the jitter buffer keeps of a packet: octets, each with the codec it is in, or samples.
   *
   * @throws where the payload is no sound of the codec
   */
  valuesOf(codec: AudioCodec, payload: Uint8Array): Int16Array {
    if (isOctets(codec)) return codedOctets(codec, payload);
    this.expect(codec);
    return this.decoder.decode(payload);
  }

  /** @param frame values of the stream as the jitter buffer has kept them; null for a frame that is missing */
  decode(frame: Int16Array | null): Int16Array {
    if (frame === null) return this.concealment.conceal();
    // Samples of wide band: more than octets.
    if (frame.length !== FRAME_OCTETS) return this.concealment.receive(frame);
    // A peer may switch between agreed codecs; the first octet of a frame names its codec.
    this.expect(AUDIO_CODECS[(frame[0] ?? 0) >> 8] ?? this.codec);
    for (let index = 0; index < FRAME_OCTETS; index++) this.octets[index] = (frame[index] ?? 0) & 0xff;
    return this.concealment.receive(this.decoder.decode(this.octets));
  }
}

function isOctets(codec: AudioCodec): boolean {
  return factsOf(codec).scale === OCTET_SCALE;
}

function codedOctets(codec: AudioCodec, payload: Uint8Array): Int16Array {
  const mark = AUDIO_CODECS.indexOf(codec) << 8;
  const coded = new Int16Array(payload.length);
  for (let index = 0; index < payload.length; index++) coded[index] = mark | (payload[index] ?? 0);
  return coded;
}
