import type { RtpPacket } from './rtp-packet.js';
import { KEYS } from './telephone-event.js';

/** The least pause between two presses of a key that exchanges take for two (ITU-T Q.24). */
const MIN_PAUSE_MS = 40;
/** The last packets of a segment may be lost. */
const MAX_LOST_MS = 400;
/** The longest duration of an event; a key held longer continues in another segment (RFC 4733 §2.5.1.3). */
const MAX_DURATION_TICKS = 0xffff;
/** A sequence number that is behind by no more belongs to a late packet; by more, to a sender that has begun anew. */
const MAX_LATE_PACKETS = 100;

interface EventPacket {
  readonly event: number;
  readonly isEnd: boolean;
  readonly marker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly durationTicks: number;
}

/** Reads keys from the telephone events of a peer: each press once, as soon as its first packet is there. */
export class TelephoneEventReceiver {
  private ssrc: number | null = null;
  /** The latest packet of the current press; null before the first one. */
  private last: EventPacket | null = null;

  /**
   * @param clockHz ticks a second of timestamps and durations
   * @returns the key, or null for another packet of the same press and for events that are no keys
   */
  receive(packet: Omit<RtpPacket, 'payloadType'>, clockHz: number): string | null {
    const { payload, ssrc } = packet;
    if (payload.length < 4) return null;
    // Timestamps of another sender have nothing to do with those before.
    if (ssrc !== this.ssrc) this.last = null;
    this.ssrc = ssrc;
    const next: EventPacket = {
      event: payload.readUInt8(0),
      isEnd: (payload.readUInt8(1) & 0x80) !== 0,
      marker: packet.marker,
      sequence: packet.sequence,
      timestamp: packet.timestamp,
      durationTicks: payload.readUInt16BE(2),
    };
    const { last } = this;
    if (last && isLate(last, next)) return null;
    this.last = next;
    if (last && isSamePress(last, next, clockHz / 1_000)) {
      // A packet that was overtaken by the end does not open the press again.
      this.last = { ...next, isEnd: next.isEnd || last.isEnd };
      return null;
    }
    return KEYS[next.event] ?? null;
  }
}

/** An older packet that comes after the next press has begun. */
function isLate(last: EventPacket, next: EventPacket): boolean {
  const behind = (last.sequence - next.sequence) & 0xffff;
  return behind > 0 && behind <= MAX_LATE_PACKETS && next.timestamp !== last.timestamp;
}

/**
 * By RFC 4733 all packets of a press have one timestamp. Some senders give each packet its own, and ends get lost, so marker,
 * duration and the pause in the timestamps decide where the timestamp differs.
 */
function isSamePress(last: EventPacket, next: EventPacket, ticksPerMs: number): boolean {
  if (next.event !== last.event) return false;
  if (next.timestamp === last.timestamp) return !beginsAgain(last, next);
  const sinceLast = (next.timestamp - last.timestamp) | 0;
  // The repeated ends of a sender with own timestamps follow each other without a pause.
  if (last.isEnd) return next.isEnd && sinceLast > 0 && sinceLast < MIN_PAUSE_MS * ticksPerMs;
  if (next.marker && next.durationTicks <= last.durationTicks) return false;
  const pause = sinceLast - last.durationTicks;
  const isNextSegment = last.durationTicks >= MAX_DURATION_TICKS - MAX_LOST_MS * ticksPerMs;
  return pause < (isNextSegment ? MAX_LOST_MS : MIN_PAUSE_MS) * ticksPerMs;
}

/** Some senders have one timestamp for all presses; the first packet of a press has the marker (RFC 4733 §2.5.1.1). */
function beginsAgain(last: EventPacket, next: EventPacket): boolean {
  const ahead = (next.sequence - last.sequence) & 0xffff;
  const isFollowing = ahead > 0 && ahead <= MAX_LATE_PACKETS;
  return last.isEnd && next.marker && !next.isEnd && isFollowing && next.durationTicks < last.durationTicks;
}
