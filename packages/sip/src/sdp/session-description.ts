import { parse, write } from 'sdp-transform';
import type { MediaDescription, SessionDescription } from 'sdp-transform';
import { isIP } from 'node:net';
import { isNativeError } from 'node:util/types';

/**
 * A description longer than that is refused unread. Those of telephones have about 500 bytes, those of gateways to browsers, which
 * keep each candidate and each codec of the video, more than 8 KiB in 250 lines.
 */
const MAX_SDP_BYTES = 16_384;
const MAX_LINES = 500;
const MAX_MEDIA = 8;
const MAX_PAYLOAD_TYPES = 64;

const MAX_HOST_NAME_LENGTH = 253;
const HOST_NAME = /^[a-z\d_][a-z\d_.-]*$/i;
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i;

/** `type=value`, the whole grammar of a line (RFC 8866 §5). */
const LINE = /^[a-z]=.*$/;

/** The description cannot be read, or holds nothing we can talk by. The call answers 488 or gives up. */
export class SdpError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The session description cannot be used: ${reason}.`, options);
    this.name = 'SdpError';
  }
}

export type MediaDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** A codec by its name in capitals and clock rate, with the payload type it has in this session. */
export interface PayloadFormat {
  readonly payloadType: number;
  readonly encoding: string;
  readonly clockRateHz: number;
}

export interface CryptoAttribute {
  readonly tag: number;
  readonly suite: string;
  /** `inline:…`, with lifetime and MKI if there are any. */
  readonly keyParameters: string;
  /** Left out where there are none (RFC 4568 §6.3). */
  readonly sessionParameters?: string;
}

/** One `m=audio` with what concerns us. */
export interface AudioDescription {
  /** Its place among the media, as an answer must keep them all (RFC 3264 §6). */
  readonly index: number;
  readonly profile: string;
  /** A literal address, or a host name (RFC 8866 §5.7). Null for none that can be used. */
  readonly address: string | null;
  /** Of the addresses of a host name, those that are meant. */
  readonly addressFamily: 4 | 6;
  readonly port: number;
  readonly direction: MediaDirection;
  readonly formats: readonly PayloadFormat[];
  readonly crypto: readonly CryptoAttribute[];
  /** Milliseconds of audio a packet, as the peer would like it. */
  readonly packetTimeMs: number | null;
}

/** A description of a peer, checked. */
export interface RemoteDescription {
  readonly sessionId: string;
  readonly version: string;
  /** Every audio that is not refused, in the order of the description. */
  readonly audios: readonly AudioDescription[];
  /** Every medium, for the answer. */
  readonly media: readonly MediumLine[];
}

/** The `m=` line of a medium, without its port. */
export interface MediumLine {
  readonly type: string;
  readonly profile: string;
  readonly formats: string;
}

/** Payload types that mean a codec without an rtpmap (RFC 3551 §6). */
const STATIC: ReadonlyMap<number, { readonly encoding: string; readonly clockRateHz: number }> = new Map([
  [0, { encoding: 'PCMU', clockRateHz: 8_000 }],
  [8, { encoding: 'PCMA', clockRateHz: 8_000 }],
  [9, { encoding: 'G722', clockRateHz: 8_000 }],
]);

/** Of an rtpmap that leaves it out. */
const DEFAULT_CLOCK_HZ = 8_000;

/** @throws SdpError */
export function parseSessionDescription(text: string): RemoteDescription {
  if (Buffer.byteLength(text) > MAX_SDP_BYTES) throw new SdpError('too long');
  // Some devices end their text with a zero, as C does.
  const written = text.replaceAll('\0', '').split(/\r?\n/);
  const lines = written.map(tidied).filter((line) => line !== '');
  if (lines.length > MAX_LINES) throw new SdpError('too many lines');
  if (lines[0] !== 'v=0') throw new SdpError('no version 0');
  if (!lines.every((line) => LINE.test(line))) throw new SdpError('a line that is none');
  // It says nothing that a call needs, and some senders write a name with blanks.
  if (!lines.some((line) => line.startsWith('o='))) throw new SdpError('no origin');
  const session = read(lines.join('\r\n'));
  if (session.media.length === 0 || session.media.length > MAX_MEDIA) throw new SdpError('number of media');
  return {
    sessionId: textOf(session.origin?.sessionId),
    version: textOf(session.origin?.sessionVersion),
    audios: session.media.flatMap((medium, index) =>
      medium.type === 'audio' && medium.port !== 0 ? [audioOf(session, medium, index)] : [],
    ),
    media: session.media.map((medium) => ({
      type: textOf(medium.type),
      profile: textOf(medium.protocol),
      formats: textOf(medium.payloads) || '0',
    })),
  };
}

export function writeSessionDescription(description: SessionDescription): string {
  return write(description);
}

/**
 * Without what the library does not read: more blanks than one, those after `=` and after the name of an attribute, and a number
 * of ports (`4000/2`, RFC 8866 §5.14).
 */
function tidied(line: string): string {
  return line
    .trim()
    .replace(/[ \t]+/g, ' ')
    .replace(/^([a-z]=) /, '$1')
    .replace(/^(a=[\w-]+:) /, '$1')
    .replace(/^(m=\S+ \d+)\/\S*/, '$1');
}

function read(text: string): SessionDescription {
  try {
    return parse(text);
  } catch (error) {
    throw new SdpError('unreadable', { cause: isNativeError(error) ? error : undefined });
  }
}

function audioOf(session: SessionDescription, medium: MediaDescription, index: number): AudioDescription {
  const connection = medium.connection ?? session.connection;
  const address = textOf(connection?.ip);
  if (!Number.isInteger(medium.port) || medium.port < 0 || medium.port > 65_535) throw new SdpError('port');
  // 0.0.0.0 is how holding was said before RFC 3264 (§8.4).
  const isOldHold = address === '0.0.0.0' || address === '::';
  const direction = isOldHold ? 'inactive' : (medium.direction ?? session.direction ?? 'sendrecv');
  return {
    index,
    profile: textOf(medium.protocol),
    address: isIP(address) !== 0 || isHostName(address) ? address : null,
    addressFamily: Number(connection?.version) === 6 ? 6 : 4,
    port: medium.port,
    direction: isDirection(direction) ? direction : 'sendrecv',
    formats: formatsOf(medium),
    crypto: (medium.crypto ?? []).slice(0, 8).map((line) => ({
      tag: line.id,
      suite: textOf(line.suite),
      keyParameters: textOf(line.config),
      ...(line.sessionConfig && { sessionParameters: textOf(line.sessionConfig) }),
    })),
    packetTimeMs: Number.isInteger(medium.ptime) ? Number(medium.ptime) : null,
  };
}

/** In the peer's order of preference. */
function formatsOf(medium: MediaDescription): PayloadFormat[] {
  const types = textOf(medium.payloads).split(' ').map(Number);
  const valid = types.filter((type) => Number.isInteger(type) && type >= 0 && type <= 127);
  return valid.slice(0, MAX_PAYLOAD_TYPES).flatMap((payloadType) => {
    const map = medium.rtp?.find(({ payload }) => payload === payloadType);
    if (!map) {
      const fixed = STATIC.get(payloadType);
      return fixed ? [{ payloadType, ...fixed }] : [];
    }
    const clockRateHz = map.rate ?? DEFAULT_CLOCK_HZ;
    return [{ payloadType, encoding: textOf(map.codec).toUpperCase(), clockRateHz }];
  });
}

/** A name with a number for its last label would be one of the old ways to write an address, as `127.1`. */
function isHostName(text: string): boolean {
  return text.length <= MAX_HOST_NAME_LENGTH && HOST_NAME.test(text) && !ENDS_IN_NUMBER.test(text);
}

/** The library returns numbers for some text values, although its types say text. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isDirection(value: string): value is MediaDirection {
  return value === 'sendrecv' || value === 'sendonly' || value === 'recvonly' || value === 'inactive';
}
