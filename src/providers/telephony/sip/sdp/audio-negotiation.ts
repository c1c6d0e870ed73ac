import { randomBytes, randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import {
  type AudioDescription,
  type CryptoAttribute,
  type MediaDirection,
  parseSessionDescription,
  type PayloadFormat,
  type RemoteDescription,
  SdpError,
  writeSessionDescription,
} from './session-description.js';

export type G711Codec = 'PCMU' | 'PCMA';

/**
 * `off`: never; `optional`: when the peer offers it, and in our offers over TLS until the peer refuses them; `required`:
 * nothing else is offered or taken.
 */
export type SrtpPolicy = 'off' | 'optional' | 'required';

/** Master key and salt of SDES, RFC 4568 §6.2. */
export const SRTP_KEY_BYTES = 30;
const SRTP_SUITE = 'AES_CM_128_HMAC_SHA1_80';

const CODECS: readonly G711Codec[] = ['PCMU', 'PCMA'];
const PAYLOAD_TYPES: Readonly<Record<G711Codec, number>> = { PCMU: 0, PCMA: 8 };
const TELEPHONE_EVENT_TYPE = 101;
const PACKET_TIME_MS = 20;
const VERSIONS_SKIPPED = 100;

/** What both sides have agreed on, as the RTP session needs it. */
export interface NegotiatedAudio {
  readonly codec: G711Codec;
  readonly payloadType: number;
  /** Payload type of RFC 4733 keys; null when the peer does not take them. */
  readonly telephoneEventType: number | null;
  readonly remoteAddress: string;
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
}

const REVERSED: Readonly<Record<MediaDirection, MediaDirection>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

/**
 * Offer and answer (RFC 3264) for one stream of telephone audio: G.711 and RFC 4733 keys, over RTP or SRTP with SDES.
 * Everything else a peer offers is refused within the answer.
 */
export class AudioNegotiation {
  private state: AudioNegotiationState;
  private lastBody = '';
  private offered: { readonly direction: MediaDirection; readonly encrypted: boolean } | null = null;

  constructor(
    private readonly local: { readonly address: string; readonly port: number },
    private readonly srtp: SrtpPolicy,
    state?: AudioNegotiationState,
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
    const current = this.state.negotiated?.telephoneEventType ?? TELEPHONE_EVENT_TYPE;
    const formats = CODECS.map((encoding) => ({
      encoding,
      payloadType: PAYLOAD_TYPES[encoding],
      clockRateHz: 8_000,
    }));
    return this.write([
      { formats, events: current, direction, crypto, profile: encrypted ? 'RTP/SAVP' : 'RTP/AVP' },
    ]);
  }

  /** The offer was refused: what was agreed before goes on. */
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
    const { audio } = parseSessionDescription(text);
    if (!audio) throw new SdpError('the audio is refused');
    // The peer has no key of ours.
    if (!encrypted && audio.profile === 'RTP/SAVP') throw new SdpError('encryption that was not offered');
    const negotiated = this.agree(audio, limit(direction, REVERSED[audio.direction]));
    this.state = { ...this.state, wanted: direction, negotiated };
    return negotiated;
  }

  /**
   * The answer to the peer's offer.
   *
   * @throws SdpError when there is nothing in it we can talk by
   */
  answer(text: string): { readonly sdp: string; readonly negotiated: NegotiatedAudio } {
    const remote = parseSessionDescription(text);
    const { audio } = remote;
    if (!audio) throw new SdpError('no audio');
    const direction = limit(this.state.wanted, REVERSED[audio.direction]);
    const negotiated = this.agree(audio, direction);
    this.state = { ...this.state, negotiated };
    const crypto = negotiated.srtp ? [this.cryptoLine(usableCrypto(audio)?.tag ?? 1)] : [];
    const format = { encoding: negotiated.codec, payloadType: negotiated.payloadType, clockRateHz: 8_000 };
    const answer = {
      formats: [format],
      events: negotiated.telephoneEventType,
      direction,
      crypto,
      profile: audio.profile,
    };
    return { sdp: this.write(refuseOthers(remote, audio.index, answer)), negotiated };
  }

  private agree(audio: AudioDescription, direction: MediaDirection): NegotiatedAudio {
    const format = audio.formats.find(isG711);
    if (!format) throw new SdpError('no G.711');
    const events = audio.formats.find(
      ({ encoding, clockRateHz }) => encoding === 'TELEPHONE-EVENT' && clockRateHz === 8_000,
    );
    return {
      codec: format.encoding === 'PCMA' ? 'PCMA' : 'PCMU',
      payloadType: format.payloadType,
      telephoneEventType: events?.payloadType ?? null,
      remoteAddress: audio.address,
      remotePort: audio.port,
      direction,
      srtp: this.agreeOnSrtp(audio),
    };
  }

  private agreeOnSrtp(audio: AudioDescription): NegotiatedAudio['srtp'] {
    if (audio.profile === 'RTP/AVP') {
      if (this.srtp === 'required') throw new SdpError('encryption is required');
      return null;
    }
    if (audio.profile !== 'RTP/SAVP') throw new SdpError('transport profile');
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
      media: media.map((medium) => ('refused' in medium ? medium.refused : audioMedium(medium, port))),
    });
  }
}

interface LocalAudio {
  readonly formats: readonly PayloadFormat[];
  readonly events: number | null;
  readonly direction: MediaDirection;
  readonly crypto: readonly CryptoAttribute[];
  readonly profile: string;
}

type Medium = Parameters<typeof writeSessionDescription>[0]['media'][number];
type LocalMedium = LocalAudio | { readonly refused: Medium };

function audioMedium(audio: LocalAudio, port: number): Medium {
  const rtp = audio.formats.map(({ payloadType, encoding }) => ({
    payload: payloadType,
    codec: encoding,
    rate: 8_000,
  }));
  if (audio.events !== null) rtp.push({ payload: audio.events, codec: 'telephone-event', rate: 8_000 });
  return {
    type: 'audio',
    port,
    protocol: audio.profile,
    payloads: rtp.map(({ payload }) => payload).join(' '),
    rtp,
    fmtp: audio.events === null ? [] : [{ payload: audio.events, config: '0-16' }],
    ptime: PACKET_TIME_MS,
    direction: audio.direction,
    ...(audio.crypto.length > 0
      ? {
          crypto: audio.crypto.map(({ tag, suite, keyParameters }) => ({
            id: tag,
            suite,
            config: keyParameters,
          })),
        }
      : {}),
  };
}

/** An answer has as many media as the offer, in the same order; port 0 refuses one (RFC 3264 §6). */
function refuseOthers(remote: RemoteDescription, audioIndex: number, answer: LocalAudio): LocalMedium[] {
  return remote.media.map(({ type, profile, formats }, index) =>
    index === audioIndex
      ? answer
      : { refused: { type, port: 0, protocol: profile, payloads: formats, rtp: [], fmtp: [] } },
  );
}

function isG711(format: PayloadFormat): boolean {
  return CODECS.some((codec) => codec === format.encoding) && format.clockRateHz === 8_000;
}

function usableCrypto(audio: AudioDescription): CryptoAttribute | null {
  return audio.crypto.find((line) => line.suite === SRTP_SUITE && keyOf(line) !== null) ?? null;
}

/** Base64 of key and salt; null where they have another length, or an MKI, which would change every packet. */
function keyOf(line: CryptoAttribute): string | null {
  const match = /^inline:([A-Za-z0-9+/=]+)((?:\|[^|]*)*)$/.exec(line.keyParameters.split(' ', 1)[0] ?? '');
  if (!match) return null;
  const [, key = '', rest = ''] = match;
  if (Buffer.from(key, 'base64').length !== SRTP_KEY_BYTES || rest.includes(':')) return null;
  return key;
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
