import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeRtpPacket } from './rtp-packet.js';
import { deriveSrtpKey, SrtpReceiver, SrtpSender } from './srtp.js';

const KEY = randomBytes(30).toString('base64');

function rtp(sequence: number, ssrc = 1): Buffer {
  return writeRtpPacket(
    { payloadType: 0, marker: false, sequence, timestamp: sequence * 160, ssrc },
    Buffer.from('payload'),
  );
}

describe('SRTP', () => {
  it('derives the keys of RFC 3711 §B.3', () => {
    const masterKey = Buffer.from('E1F97A0D3E018BE0D64FA32C06DE4139', 'hex');
    const salt = Buffer.from('0EC675AD498AFEEBB6960B3AABE6', 'hex');
    const hex = (label: number, length: number) =>
      deriveSrtpKey(masterKey, salt, label, length).toString('hex').toUpperCase();
    expect(hex(0, 16)).toBe('C61E7A93744F39EE10734AFE3FF7A087');
    expect(hex(2, 14)).toBe('30CBBC08863D8C85D49DB34A9AE1');
    expect(hex(1, 20)).toBe('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4');
  });

  it('hides what it carries, and gives it back', () => {
    const packet = rtp(1);
    const protectedPacket = new SrtpSender(KEY).protect(packet);
    expect(protectedPacket.length).toBe(packet.length + 10);
    expect(protectedPacket.includes('payload')).toBe(false);
    expect(new SrtpReceiver(KEY).unprotect(protectedPacket)).toEqual(packet);
  });

  it('refuses a changed packet, another key, and the same packet twice', () => {
    const packet = new SrtpSender(KEY).protect(rtp(1));
    const receiver = new SrtpReceiver(KEY);
    for (let at = 0; at < packet.length; at++) {
      const changed = Buffer.from(packet);
      changed[at] = changed[at]! ^ 1;
      expect(receiver.unprotect(changed)).toBeNull();
    }
    expect(new SrtpReceiver(randomBytes(30).toString('base64')).unprotect(packet)).toBeNull();
    expect(receiver.unprotect(packet)).not.toBeNull();
    expect(receiver.unprotect(packet)).toBeNull();
  });

  it('counts on when the sequence numbers begin again, also out of order', () => {
    const sender = new SrtpSender(KEY);
    const receiver = new SrtpReceiver(KEY);
    const packets = Array.from({ length: 400 }, (_, index) => sender.protect(rtp((65_400 + index) & 0xffff)));
    for (let index = 0; index + 1 < packets.length; index += 2) {
      expect(receiver.unprotect(packets[index + 1]!)).toEqual(rtp((65_400 + index + 1) & 0xffff));
      expect(receiver.unprotect(packets[index]!)).toEqual(rtp((65_400 + index) & 0xffff));
    }
  });

  it('finds its place in a stream another process has received for an hour', () => {
    const sender = new SrtpSender(KEY);
    for (let rollover = 0; rollover < 3; rollover++)
      [0, 65_535].forEach((sequence) => sender.protect(rtp(sequence)));
    const packet = sender.protect(rtp(7));
    expect(new SrtpReceiver(KEY).unprotect(packet)).toBeNull();
    const receiver = new SrtpReceiver(KEY, true);
    expect(receiver.unprotect(packet)).toEqual(rtp(7));
    expect(receiver.unprotect(sender.protect(rtp(8)))).toEqual(rtp(8));
    expect(receiver.unprotect(packet)).toBeNull();
  });

  it('follows a sender that changes its stream', () => {
    const receiver = new SrtpReceiver(KEY);
    const first = new SrtpSender(KEY).protect(rtp(60_000, 1));
    receiver.unprotect(first);
    expect(receiver.unprotect(new SrtpSender(KEY).protect(rtp(5, 2)))).toEqual(rtp(5, 2));
    // Its old packets are still old.
    expect(receiver.unprotect(first)).toBeNull();
  });
});
