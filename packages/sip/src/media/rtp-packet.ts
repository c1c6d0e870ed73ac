const HEADER_BYTES = 12;
const VERSION = 2;

/** The parts of an RTP packet we use (RFC 3550 §5.1). */
export interface RtpPacket {
  readonly payloadType: number;
  readonly marker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly payload: Buffer;
}

/** Null for what is no RTP: too short, another version, RTCP, lengths that do not fit. */
export function parseRtpPacket(bytes: Buffer): RtpPacket | null {
  const payloadAt = rtpHeaderBytes(bytes);
  if (payloadAt === null) return null;
  const second = bytes.readUInt8(1);
  const padding = bytes.readUInt8(0) & 0x20 ? bytes.readUInt8(bytes.length - 1) : 0;
  if (payloadAt + padding > bytes.length) return null;
  return {
    payloadType: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(payloadAt, bytes.length - padding),
  };
}

/** Where the payload begins: after the contributing sources and the extension; null for what is no RTP. */
export function rtpHeaderBytes(bytes: Buffer): number | null {
  if (bytes.length < HEADER_BYTES) return null;
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  // RTCP on the port of RTP (RFC 5761 §4): SR to APP, feedback, extended reports.
  if (first >> 6 !== VERSION || (second >= 200 && second <= 207)) return null;
  let length = HEADER_BYTES + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (bytes.length < length + 4) return null;
    length += 4 + bytes.readUInt16BE(length + 2) * 4;
  }
  return length <= bytes.length ? length : null;
}

export function writeRtpPacket(packet: Omit<RtpPacket, 'payload'>, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  bytes.writeUInt8(VERSION << 6, 0);
  bytes.writeUInt8((packet.marker ? 0x80 : 0) | packet.payloadType, 1);
  bytes.writeUInt16BE(packet.sequence & 0xffff, 2);
  bytes.writeUInt32BE(packet.timestamp >>> 0, 4);
  bytes.writeUInt32BE(packet.ssrc >>> 0, 8);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}
