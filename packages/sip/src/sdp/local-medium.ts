import { FRAME_MS } from '@prosa/audio';
import { type AudioCodec, factsOf } from '../media/codec/audio-codec.js';
import type {
  CryptoAttribute,
  MediaDirection,
  MediumLine,
  writeSessionDescription,
} from './session-description.js';

/** A codec with the payload type it has in this session. */
export interface LocalFormat {
  readonly codec: AudioCodec;
  readonly payloadType: number;
}

/** Keys as telephone events (RFC 4733). */
export interface KeyEvents {
  readonly payloadType: number;
  readonly clockHz: number;
}

/** Our audio in a description. */
export interface LocalAudio {
  readonly formats: readonly LocalFormat[];
  readonly events: KeyEvents | null;
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
  const { events } = audio;
  const rtp: Medium['rtp'] = audio.formats.map(({ payloadType, codec }) => {
    const { sdpName, clockRateHz, sdpChannels } = factsOf(codec);
    return {
      payload: payloadType,
      codec: sdpName,
      rate: clockRateHz,
      ...(sdpChannels ? { encoding: sdpChannels } : {}),
    };
  });
  const fmtp = audio.formats.flatMap(({ payloadType, codec }) => {
    const { sdpParameters } = factsOf(codec);
    return sdpParameters ? [{ payload: payloadType, config: sdpParameters }] : [];
  });
  if (events !== null) {
    rtp.push({ payload: events.payloadType, codec: 'telephone-event', rate: events.clockHz });
    fmtp.push({ payload: events.payloadType, config: '0-16' });
  }
  return {
    type: 'audio',
    port,
    protocol: audio.profile,
    payloads: rtp.map(({ payload }) => payload).join(' '),
    rtp,
    fmtp,
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

/**
 * An answer has as many media as the offer, in the same order (RFC 3264 §6). So has each later offer (§8). Port 0
 * refuses a medium.
 */
export function refuseOthers(
  media: readonly MediumLine[],
  audioIndex: number,
  audio: LocalAudio,
): LocalMedium[] {
  return media.map(({ type, profile, formats }, index) =>
    index === audioIndex
      ? audio
      : { refused: { type, port: 0, protocol: profile, payloads: formats, rtp: [], fmtp: [] } },
  );
}
