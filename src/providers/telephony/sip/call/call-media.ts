import { isIP } from 'node:net';
import type { CallAudio } from '../../call-audio.js';
import { type AudioCodec, factsOf } from '../media/codec/audio-codec.js';
import type { MediaClock } from '../media/media-clock.js';
import type { RtpPortPool } from '../media/rtp-port-pool.js';
import { RtpSession, type RtpSessionOptions } from '../media/rtp-session.js';
import {
  AudioNegotiation,
  type AudioNegotiationState,
  type NegotiatedAudio,
  type SrtpPolicy,
} from '../sdp/audio-negotiation.js';
import { SdpError } from '../sdp/session-description.js';

export interface CallMediaOptions extends RtpSessionOptions {
  /** What the peer is told to send to. */
  readonly address: string;
  readonly srtp: SrtpPolicy;
  /** Left out: all. */
  readonly codecs?: readonly AudioCodec[];
  /** Whether audio may be sent to an address that a description names. */
  readonly isPermitted: (address: string) => boolean;
  /** Of a session that another process had. */
  readonly state?: AudioNegotiationState;
}

/** The audio of a call, and what is agreed on it. */
export class CallMedia {
  private constructor(
    readonly rtp: RtpSession,
    readonly negotiation: AudioNegotiation,
    private readonly isPermitted: (address: string) => boolean,
  ) {}

  /** @throws NoRtpPortError */
  static async open(pool: RtpPortPool, clock: MediaClock, options: CallMediaOptions): Promise<CallMedia> {
    const { state, codecs } = options;
    const before = state?.negotiated;
    const rtp = new RtpSession(await pool.open(), clock, {
      ...options,
      isResumed: state !== undefined,
      lineRateHz: before ? factsOf(before.codec).sampleRateHz : undefined,
    });
    const local = { address: options.address, port: rtp.localPort };
    const negotiation = new AudioNegotiation(local, options.srtp, state, codecs);
    return new CallMedia(rtp, negotiation, options.isPermitted);
  }

  /**
   * The answer to our offer.
   *
   * @param signallingAddress where it came from; RTP from there is heard as well
   * @throws SdpError
   */
  acceptAnswer(sdp: string, signallingAddress: string): NegotiatedAudio {
    return this.start(this.negotiation.acceptAnswer(sdp), signallingAddress);
  }

  /**
   * The answer to an offer.
   *
   * @throws SdpError
   */
  answer(offer: string, signallingAddress: string): string {
    const { sdp, negotiated } = this.negotiation.answer(offer);
    this.start(negotiated, signallingAddress);
    return sdp;
  }

  openAudio(signal?: AbortSignal): CallAudio {
    return this.rtp.openAudio(signal);
  }

  close(): void {
    this.rtp.close();
  }

  /**
   * A peer behind NAT names an address of its own network, and so does one that wants our packets to go where they must
   * not: both get them at the address their signalling comes from.
   */
  private start(negotiated: NegotiatedAudio, signallingAddress: string): NegotiatedAudio {
    const isPermitted = this.isPermitted(negotiated.remoteAddress);
    if (!isPermitted && isIP(signallingAddress) === 0) throw new SdpError('a forbidden address');
    const remoteAddress = isPermitted ? negotiated.remoteAddress : signallingAddress;
    this.rtp.configure({ ...negotiated, remoteAddress }, signallingAddress);
    return negotiated;
  }
}
