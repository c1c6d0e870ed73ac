import { isIP } from 'node:net';
import type { CallAudio } from '@prosa/audio';
import type { Clock } from '../clock.js';
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
import { withTimeLimit } from '../time-limit.js';

export type HostResolver = (host: string, port: number) => Promise<readonly string[]>;

/** A name that is not found by then is given up. */
const RESOLUTION_MS = 2_000;

export interface CallMediaOptions extends RtpSessionOptions {
  /** The address that the peer is asked to send to. */
  readonly address: string;
  readonly srtp: SrtpPolicy;
  /** Left out: all. */
  readonly codecs?: readonly AudioCodec[];
  /** Whether audio may be sent to an address that a description names. */
  readonly isPermitted: (address: string) => boolean;
  /** Limits the wait for `resolve`. */
  readonly clock: Clock;
  /**
   * The addresses of a host name that a description names, of those that are permitted.
   *
   * @throws SipResolutionError
   */
  readonly resolve: HostResolver;
  /** Of a session that another process had. */
  readonly state?: AudioNegotiationState;
}

/** The audio of a call, and what is agreed on it. */
export class CallMedia {
  /** Settles once a host name of the last description is resolved, or given up. */
  located: Promise<void> = Promise.resolve();
  /** Addresses of names that this call was given: descriptions are repeated. */
  private readonly known = new Map<string, string>();

  private constructor(
    readonly rtp: RtpSession,
    readonly negotiation: AudioNegotiation,
    private readonly options: CallMediaOptions,
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
    return new CallMedia(rtp, negotiation, options);
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
   * not: both get them at the address their signalling comes from. So does one that names a host, until that is found.
   */
  private start(negotiated: NegotiatedAudio, signallingAddress: string): NegotiatedAudio {
    const named = negotiated.remoteAddress;
    const address = isIP(named) === 0 ? this.known.get(named) : named;
    const isPermitted = address !== undefined && this.options.isPermitted(address);
    if (!isPermitted && isIP(signallingAddress) === 0) throw new SdpError('a forbidden address');
    const remoteAddress = isPermitted ? address : signallingAddress;
    this.rtp.configure({ ...negotiated, remoteAddress }, signallingAddress);
    if (isIP(named) === 0) this.negotiation.locate(remoteAddress);
    if (address === undefined) this.located = this.locate(negotiated, signallingAddress);
    return negotiated;
  }

  private async locate(named: NegotiatedAudio, signallingAddress: string): Promise<void> {
    const before = this.negotiation.negotiated;
    const remoteAddress = await this.find(named);
    if (remoteAddress === null) return;
    this.known.set(named.remoteAddress, remoteAddress);
    // Another description may have come by now.
    if (this.negotiation.negotiated !== before) return;
    this.negotiation.locate(remoteAddress);
    this.rtp.configure({ ...named, remoteAddress }, signallingAddress);
  }

  /** Null where the name is not found in time, or has none but forbidden addresses. */
  private async find({ remoteAddress, remoteFamily, remotePort }: NegotiatedAudio): Promise<string | null> {
    try {
      const resolved = this.options.resolve(remoteAddress, remotePort);
      const late = new SdpError('a host that is not found');
      const addresses = await withTimeLimit(this.options.clock, RESOLUTION_MS, resolved, late);
      return addresses.find((address) => isIP(address) === remoteFamily) ?? null;
    } catch {
      // Sound stays where the messages come from.
      return null;
    }
  }
}
