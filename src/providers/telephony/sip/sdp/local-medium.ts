import { FRAME_MS } from '../../call-audio.js';
import { RTP_CLOCK_HZ } from '../media/codec/audio-codec.js';
import type {
  CryptoAttribute,
  MediaDirection,
  PayloadFormat,
  RemoteDescription,
  writeSessionDescription,
} from './session-description.js';

/** Our audio in a description. */
export interface LocalAudio {
  readonly formats: readonly PayloadFormat[];
  readonly events: number | null;
  readonly direction: MediaDirection;
  readonly crypto: readonly CryptoAttribute[];
  readonly profile: string;
}

type Medium = Parameters<typeof writeSessionDescription>[0]['media'][number];
export type LocalMedium = LocalAudio | { readonly refused: Medium };

export function mediumOf(medium: LocalMedium, port: number): Medium {
  return 'refused' in medium ? medium.refused : audioMedium(medium, port);
}

function audioMedium(audio: LocalAudio, port: number): Medium {
  const rtp = audio.formats.map(({ payloadType, encoding }) => ({
    payload: payloadType,
    codec: encoding,
    rate: RTP_CLOCK_HZ,
  }));
  if (audio.events !== null)
    rtp.push({ payload: audio.events, codec: 'telephone-event', rate: RTP_CLOCK_HZ });
  return {
    type: 'audio',
    port,
    protocol: audio.profile,
    payloads: rtp.map(({ payload }) => payload).join(' '),
    rtp,
    fmtp: audio.events === null ? [] : [{ payload: audio.events, config: '0-16' }],
    ptime: FRAME_MS,
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
export function refuseOthers(
  remote: RemoteDescription,
  audioIndex: number,
  answer: LocalAudio,
): LocalMedium[] {
  return remote.media.map(({ type, profile, formats }, index) =>
    index === audioIndex
      ? answer
      : { refused: { type, port: 0, protocol: profile, payloads: formats, rtp: [], fmtp: [] } },
  );
}
