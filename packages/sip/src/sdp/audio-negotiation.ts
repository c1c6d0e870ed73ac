import { randomBytes, randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import {
  type AudioDescription,
  type CryptoAttribute,
  type MediaDirection,
  type MediumLine,
  parseSessionDescription,
  SdpError,
  writeSessionDescription,
} from './session-description.js';
import {
  AUDIO_CODECS,
  type AudioCodec,
  factsOf,
  NARROW_CODECS,
  RTP_CLOCK_HZ,
} from '../media/codec/audio-codec.js';
import { transportSecurityOf } from './transport-profile.js';
import {
  type KeyEvents,
  type LocalFormat,
  type LocalMedium,
  mediumOf,
  refuseOthers,
} from './local-medium.js';

/**
 * `off`: never; `optional`: when the peer offers it, and in our offers over TLS until the peer refuses them; `required`:
 * nothing else is offered or taken.
 */
export type SrtpPolicy = 'off' | 'optional' | 'required';

/** Master key and salt of SDES, RFC 4568 §6.2. */
export const SRTP_KEY_BYTES = 30;
const SRTP_SUITE = 'AES_CM_128_HMAC_SHA1_80';

const TELEPHONE_EVENT_TYPE = 101;
const VERSIONS_SKIPPED = 100;

/** Payload types as our offer names them. */
export interface OfferedTypes {
  readonly payloadType: number;
  /** Null where no keys are agreed on. */
  readonly telephoneEventType: number | null;
}

/** What both sides have agreed on, as the RTP session needs it. */
export interface NegotiatedAudio {
  readonly codec: AudioCodec;
  readonly payloadType: number;
  /** Payload type of RFC 4733 keys; null when the peer does not take them. */
  readonly telephoneEventType: number | null;
  /** Ticks a second of their durations; see {@link eventClockOf}. */
  readonly telephoneEventClockHz?: number;
  /** The numbers of our own offer, by which the peer sends; left out where the peer has made the offer (RFC 3264 §5.1). */
  readonly offered?: OfferedTypes | undefined;
  /** As in the peer's `m=` line; left out by processes of 0.2.0. */
  readonly profile?: string;
  /** A literal address, or a host name until {@link AudioNegotiation.locate} replaces it. */
  readonly remoteAddress: string;
  /** Of a host name, the addresses that are meant. */
  readonly remoteFamily?: 4 | 6;
  readonly remotePort: number;
  /** From our side: `sendonly` means that we hold the peer. */
  readonly direction: MediaDirection;
  /** Base64 of master key and salt, each way; null without encryption. */
  readonly srtp: { readonly localKey: string; readonly remoteKey: string } | null;
}

/** All there is to know to go on with a session in another process. */
export interface AudioNegotiationState {
  readonly sessionId: string;
  readonly version: number;
  readonly localKey: string;
  readonly wanted: MediaDirection;
  readonly negotiated: NegotiatedAudio | null;
  /** The media of the peer's last offer, and which of them is the audio; left out: ours is the only one. */
  readonly layout?: { readonly media: readonly MediumLine[]; readonly audioIndex: number } | undefined;
}

/** Sessions of processes of 0.2.0 do not name it: they know one clock. */
export function eventClockOf(audio: NegotiatedAudio): number {
  return audio.telephoneEventClockHz ?? RTP_CLOCK_HZ;
}

const REVERSED: Readonly<Record<MediaDirection, MediaDirection>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

/**
 * Offer and answer (RFC 3264) for one stream of telephone audio: G.722, Opus, G.711 and RFC 4733 keys, over RTP or SRTP with
 * SDES. Everything else a peer offers is refused within the answer.
 */
export class AudioNegotiation {
  private state: AudioNegotiationState;
  private lastBody = '';
  /** Our offer that waits for its answer. */
  private offered: { readonly direction: MediaDirection; readonly encrypted: boolean } | null = null;
  /** Of our last offer; a call that was forked has several answers to it. */
  private offeredMedium: { readonly formats: readonly LocalFormat[]; readonly events: KeyEvents } | null =
    null;

  constructor(
    private readonly local: { readonly address: string; readonly port: number },
    private readonly srtp: SrtpPolicy,
    state?: AudioNegotiationState,
    /** What is taken, and offered where it is one of those, the best first. */
    private readonly codecs: readonly AudioCodec[] = AUDIO_CODECS,
  ) {
    // Who took the session over does not know how far the version has come.
    this.state = state
      ? { ...state, version: state.version + VERSIONS_SKIPPED }
      : {
          sessionId: String(randomInt(1, 2 ** 47)),
          version: 0,
          localKey: randomBytes(SRTP_KEY_BYTES).toString('base64'),
          wanted: 'sendrecv',
          negotiated: null,
        };
  }

  get negotiated(): NegotiatedAudio | null {
    return this.state.negotiated;
  }

  snapshot(): AudioNegotiationState {
    return this.state;
  }

  /** Whether our own offer waits for its answer. */
  get isPending(): boolean {
    return this.offered !== null;
  }

  /**
   * Our offer; the first one, or one that changes the direction. Later ones are encrypted as what was agreed.
   *
   * @param preferEncrypted whether a first offer asks for encryption where the policy leaves it open
   */
  offer(direction: MediaDirection = this.state.wanted, preferEncrypted = false): string {
    const encrypted = this.state.negotiated
      ? this.state.negotiated.srtp !== null
      : this.srtp === 'required' || (this.srtp === 'optional' && preferEncrypted);
    this.offered = { direction, encrypted };
    const crypto = encrypted ? [this.cryptoLine(1)] : [];
    const formats = this.offeredFormats();
    const events = this.offeredEvents(formats);
    this.offeredMedium = { formats, events };
    const profile = this.state.negotiated?.profile ?? (encrypted ? 'RTP/SAVP' : 'RTP/AVP');
    const audio = { formats, events, direction, crypto, profile };
    const { layout } = this.state;
    return this.write(layout ? refuseOthers(layout.media, layout.audioIndex, audio) : [audio]);
  }

  /** The offer was refused: the previous agreement stays valid. */
  withdraw(): void {
    this.offered = null;
  }

  /**
   * The answer to our offer.
   *
   * @throws SdpError when it agrees to nothing we have offered
   */
  acceptAnswer(text: string): NegotiatedAudio {
    const { direction, encrypted } = this.offered ?? {
      direction: this.state.wanted,
      encrypted: Boolean(this.state.negotiated?.srtp),
    };
    this.offered = null;
    const { audios } = parseSessionDescription(text);
    const offered = new Set(this.offeredFormats().map(({ codec }) => codec));
    const agreed = this.agreeOnFirst(audios, (audio) => {
      // The peer has no key of ours.
      if (!encrypted && transportSecurityOf(audio.profile) === 'encrypted')
        throw new SdpError('encryption that was not offered');
      const format = this.usableFormats(audio).find(({ codec }) => offered.has(codec));
      return this.agree(audio, format, limit(direction, REVERSED[audio.direction]));
    });
    const negotiated = { ...agreed.negotiated, offered: this.offeredTypesOf(agreed.negotiated) };
    this.state = { ...this.state, wanted: direction, negotiated };
    return negotiated;
  }

  /**
   * The answer to the peer's offer. Of several audios the first is taken that can be used, an encrypted one before others.
   *
   * @throws SdpError when there is nothing in it we can talk by
   */
  answer(text: string): { readonly sdp: string; readonly negotiated: NegotiatedAudio } {
    const { audios, media } = parseSessionDescription(text);
    const byPreference = audios.toSorted((a, b) => this.rankOf(a) - this.rankOf(b));
    const { audio, negotiated } = this.agreeOnFirst(byPreference, (candidate) =>
      this.agree(
        candidate,
        this.preferredFormat(candidate),
        limit(this.state.wanted, REVERSED[candidate.direction]),
      ),
    );
    const layout = media.length > 1 ? { media, audioIndex: audio.index } : undefined;
    this.state = { ...this.state, negotiated, layout };
    const crypto = negotiated.srtp ? [this.cryptoLine(usableCrypto(audio)?.tag ?? 1)] : [];
    const answer = {
      formats: [{ codec: negotiated.codec, payloadType: negotiated.payloadType }],
      events: eventsOf(negotiated),
      direction: negotiated.direction,
      crypto,
      profile: audio.profile,
    };
    return { sdp: this.write(refuseOthers(media, audio.index, answer)), negotiated };
  }

  /** Replaces the host name that the peer has given by an address. */
  locate(remoteAddress: string): void {
    const { negotiated } = this.state;
    if (negotiated) this.state = { ...this.state, negotiated: { ...negotiated, remoteAddress } };
  }

  private rankOf({ profile }: AudioDescription): number {
    return this.srtp !== 'off' && transportSecurityOf(profile) === 'encrypted' ? 0 : 1;
  }

  /** @throws SdpError with what is wrong with the first, where none can be used */
  private agreeOnFirst(
    audios: readonly AudioDescription[],
    agree: (audio: AudioDescription) => NegotiatedAudio,
  ): { readonly audio: AudioDescription; readonly negotiated: NegotiatedAudio } {
    let refusal: SdpError | null = null;
    for (const audio of audios) {
      try {
        return { audio, negotiated: agree(audio) };
      } catch (error) {
        if (!(error instanceof SdpError)) throw error;
        refusal ??= error;
      }
    }
    throw refusal ?? new SdpError('no audio');
  }

  /** The payload types under which the peer is to send, independent of the numbers in its answer. */
  private offeredTypesOf(agreed: NegotiatedAudio): OfferedTypes | undefined {
    const format = this.offeredMedium?.formats.find(({ codec }) => codec === agreed.codec);
    if (!this.offeredMedium || !format) return undefined;
    const { payloadType } = this.offeredMedium.events;
    return {
      payloadType: format.payloadType,
      telephoneEventType: agreed.telephoneEventType === null ? null : payloadType,
    };
  }

  /** Numbers keep their meaning as long as the session lasts (RFC 3264 §8.3.2). */
  private offeredEvents(formats: readonly LocalFormat[]): KeyEvents {
    const agreed = this.state.negotiated;
    const clockHz = agreed ? eventClockOf(agreed) : RTP_CLOCK_HZ;
    const known = agreed?.offered?.telephoneEventType ?? agreed?.telephoneEventType ?? null;
    if (known !== null) return { payloadType: known, clockHz };
    const isTaken = formats.some(({ payloadType }) => payloadType === TELEPHONE_EVENT_TYPE);
    return { payloadType: isTaken ? TELEPHONE_EVENT_TYPE + 1 : TELEPHONE_EVENT_TYPE, clockHz: RTP_CLOCK_HZ };
  }

  /** What was agreed on comes first, under its number, so that a change of anything else changes no codec. */
  private offeredFormats(): LocalFormat[] {
    const agreed = this.state.negotiated;
    const others = this.codecs
      .filter((codec) => codec !== agreed?.codec && factsOf(codec).isOffered)
      .map((codec) => ({ codec, payloadType: factsOf(codec).payloadType }));
    if (!agreed || !this.codecs.includes(agreed.codec)) return others;
    const { payloadType } = agreed.offered ?? agreed;
    return [{ codec: agreed.codec, payloadType }, ...others];
  }

  /** Wide band where the peer offers it; which of those codecs, and which law of G.711, is the peer's choice. */
  private preferredFormat(audio: AudioDescription): LocalFormat | undefined {
    const formats = this.usableFormats(audio);
    return formats.find(({ codec }) => !NARROW_CODECS.includes(codec)) ?? formats[0];
  }

  /** In the peer's order. */
  private usableFormats(audio: AudioDescription): LocalFormat[] {
    return audio.formats.flatMap(({ encoding, clockRateHz, payloadType }) => {
      const codec = this.codecs.find((ours) => ours === encoding);
      return codec && clockRateHz === factsOf(codec).clockRateHz ? [{ codec, payloadType }] : [];
    });
  }

  private agree(
    audio: AudioDescription,
    format: LocalFormat | undefined,
    direction: MediaDirection,
  ): NegotiatedAudio {
    if (!format) throw new SdpError('no codec that we have');
    if (audio.address === null) throw new SdpError('no connection address');
    // Keys have the clock of the sound they come with (RFC 4733 §2.1), else the common one. A peer that names neither means
    // the clock that it names.
    const kinds = audio.formats.filter(({ encoding }) => encoding === 'TELEPHONE-EVENT');
    const [events = kinds.find(({ clockRateHz }) => clockRateHz > 0)] = [
      factsOf(format.codec).clockRateHz,
      RTP_CLOCK_HZ,
    ].flatMap((clockHz) => kinds.find(({ clockRateHz }) => clockRateHz === clockHz) ?? []);
    return {
      codec: format.codec,
      payloadType: format.payloadType,
      telephoneEventType: events?.payloadType ?? null,
      telephoneEventClockHz: events?.clockRateHz ?? RTP_CLOCK_HZ,
      profile: audio.profile,
      remoteAddress: audio.address,
      remoteFamily: audio.addressFamily,
      remotePort: audio.port,
      direction,
      srtp: this.agreeOnSrtp(audio),
    };
  }

  private agreeOnSrtp(audio: AudioDescription): NegotiatedAudio['srtp'] {
    const security = transportSecurityOf(audio.profile);
    if (security === null) throw new SdpError('transport profile');
    if (security === 'plain') {
      if (this.srtp === 'required') throw new SdpError('encryption is required');
      return null;
    }
    const crypto = usableCrypto(audio);
    if (this.srtp === 'off' || !crypto) throw new SdpError('no usable encryption');
    return { localKey: this.state.localKey, remoteKey: keyOf(crypto) ?? '' };
  }

  private cryptoLine(tag: number): CryptoAttribute {
    return { tag, suite: SRTP_SUITE, keyParameters: `inline:${this.state.localKey}` };
  }

  /** The version in `o=` goes up when anything else has changed (RFC 3264 §8). */
  private write(media: readonly LocalMedium[]): string {
    const body = JSON.stringify(media);
    if (body !== this.lastBody) this.state = { ...this.state, version: this.state.version + 1 };
    this.lastBody = body;
    const { address, port } = this.local;
    const ipVersion = isIPv6(address) ? 6 : 4;
    return writeSessionDescription({
      version: 0,
      origin: {
        username: '-',
        sessionId: this.state.sessionId,
        sessionVersion: this.state.version,
        netType: 'IN',
        ipVer: ipVersion,
        address,
      },
      name: '-',
      connection: { version: ipVersion, ip: address },
      timing: { start: 0, stop: 0 },
      media: media.map((medium) => mediumOf(medium, port)),
    });
  }
}

function eventsOf(audio: NegotiatedAudio): KeyEvents | null {
  return audio.telephoneEventType === null
    ? null
    : { payloadType: audio.telephoneEventType, clockHz: eventClockOf(audio) };
}

function usableCrypto(audio: AudioDescription): CryptoAttribute | null {
  return audio.crypto.find((line) => line.suite === SRTP_SUITE && keyOf(line) !== null) ?? null;
}

/** Base64 of key and salt; null where they have another length, or an MKI, which would change every packet. */
function keyOf(line: CryptoAttribute): string | null {
  const match = /^inline:([A-Za-z0-9+/=]+)((?:\|[^|]*)*)$/.exec(line.keyParameters.split(' ', 1)[0] ?? '');
  if (!match) return null;
  const [, key = '', rest = ''] = match;
  if (!isKnown(line.sessionParameters ?? '')) return null;
  if (Buffer.from(key, 'base64').length !== SRTP_KEY_BYTES || rest.includes(':')) return null;
  return key;
}

/**
 * Parameters that are not known must be refused, unless a hyphen marks them (RFC 4568 §6.3.7): without encryption, or with keys that
 * change, the sound would be noise. The window is the receiver's own matter, and of RTCP nothing is read.
 */
function isKnown(sessionParameter: string): boolean {
  return sessionParameter === '' || /^(?:-|WSH=|KDR=0$|UNENCRYPTED_SRTCP$)/.test(sessionParameter);
}

/** Both may talk only if each wants to. */
function limit(wanted: MediaDirection, possible: MediaDirection): MediaDirection {
  const sends = canSend(wanted) && canSend(possible);
  const receives = canReceive(wanted) && canReceive(possible);
  if (sends) return receives ? 'sendrecv' : 'sendonly';
  return receives ? 'recvonly' : 'inactive';
}

export function canSend(direction: MediaDirection): boolean {
  return direction === 'sendrecv' || direction === 'sendonly';
}

export function canReceive(direction: MediaDirection): boolean {
  return direction === 'sendrecv' || direction === 'recvonly';
}
