import { createHash, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InternalToken } from '#src/common/crypto/internal-token.js';
import { accessToken } from '../../livekit/access-token.js';
import { callOfMetadata, jobMetadata, RoomNames } from './room-names.js';

const hash = createHash('sha256').update('token').digest();
const namesOf = (key: Buffer) => new RoomNames(new InternalToken([key.toString('base64')]));

describe('rooms of a LiveKit server that several installations share', () => {
  it('are distinguished: an installation knows only the calls of its own rooms', () => {
    const [ours, theirs] = [namesOf(randomBytes(32)), namesOf(randomBytes(32))];
    expect(ours.callOf(ours.of(7, hash))).toBe(7);
    expect(ours.callOf(theirs.of(7, hash))).toBeNull();
    expect(ours.callOf('standup')).toBeNull();
  });

  it('name their call to the agent by the hash of its token, and anything else is no call', () => {
    expect(callOfMetadata(jobMetadata(7, hash))).toEqual({ callId: 7, tokenHash: hash });
    for (const junk of [
      '',
      '7',
      `0 ${hash.toString('base64url')}`,
      `9999999999 ${hash.toString('base64url')}`,
    ])
      expect(callOfMetadata(junk)).toBeNull();
  });

  it('are entered with a token that the server’s secret has signed, which says who, where and until when', () => {
    const [head, claims, signature] = accessToken(
      { url: 'wss://livekit.example', apiKey: 'key', apiSecret: 'secret' },
      { video: { roomList: true }, identity: 'customer', expiresAt: new Date(90_500) },
    ).split('.');
    const expected = createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url');
    expect(signature).toBe(expected);
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toEqual({
      iss: 'key',
      sub: 'customer',
      exp: 90,
      video: { roomList: true },
    });
  });
});
