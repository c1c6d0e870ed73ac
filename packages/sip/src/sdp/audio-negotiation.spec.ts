import { describe, expect, it } from '@jest/globals';
import { mutate, seededRandom } from '../../testing/sip-mutations.js';
import { AudioNegotiation } from './audio-negotiation.js';
import { parseSessionDescription, SdpError } from './session-description.js';

const LOCAL = { address: '192.0.2.1', port: 30_000 };

function offer(media: readonly string[], session: readonly string[] = ['c=IN IP4 192.0.2.9']): string {
  return ['v=0', 'o=- 1 1 IN IP4 192.0.2.9', 's=-', ...session, 't=0 0', ...media, ''].join('\r\n');
}

const ALAW = ['m=audio 4000 RTP/AVP 18 8 0 96', 'a=rtpmap:18 G729/8000', 'a=rtpmap:96 telephone-event/8000'];
const KEY = 'WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';

describe('AudioNegotiation', () => {
  it('offers wide band, both laws and keys, and takes what the peer chooses', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    const sdp = caller.offer();
    expect(sdp).toContain('m=audio 30000 RTP/AVP 9 0 8 101\r\n');
    // The clock of G.722 is not its sample rate (RFC 3551 §4.5.2).
    expect(sdp).toContain('a=rtpmap:9 G722/8000\r\n');
    expect(sdp).toContain('a=rtpmap:101 telephone-event/8000\r\n');
    const called = new AudioNegotiation({ address: '192.0.2.9', port: 4_000 }, 'off');
    const negotiated = caller.acceptAnswer(called.answer(sdp).sdp);
    expect(negotiated).toMatchObject({
      codec: 'G722',
      payloadType: 9,
      telephoneEventType: 101,
      remoteAddress: '192.0.2.9',
      remotePort: 4_000,
    });
    expect(caller.acceptAnswer(offer(ALAW)).codec).toBe('PCMA');
    expect(caller.acceptAnswer(offer(['m=audio 4000 RTP/AVP 0 9'])).codec).toBe('PCMU');
  });

  it.each([
    ['m=audio 4000 RTP/AVP 9 0 8', 'G722', 9],
    ['m=audio 4000 RTP/AVP 8 0 9', 'G722', 9],
    ['m=audio 4000 RTP/AVP 8 0', 'PCMA', 8],
    ['m=audio 4000 RTP/AVP 0 8', 'PCMU', 0],
    ['m=audio 4000 RTP/AVP 0 109\r\na=rtpmap:109 G722/8000', 'G722', 109],
    ['m=audio 4000 RTP/AVP 0 109\r\na=rtpmap:109 G722/16000', 'PCMU', 0],
  ])('answers %j in %s: wide band where it is offered, else as the peer prefers', (media, codec, type) => {
    const { sdp, negotiated } = new AudioNegotiation(LOCAL, 'off').answer(offer([media]));
    expect(negotiated).toMatchObject({ codec, payloadType: type });
    expect(sdp).toContain(`m=audio 30000 RTP/AVP ${type}\r\n`);
    expect(sdp).toContain(`a=rtpmap:${type} ${codec}/8000\r\n`);
  });

  it('takes Opus where it is offered, with keys of its clock, and keeps it in later offers', () => {
    const called = new AudioNegotiation(LOCAL, 'off');
    const media = [
      'm=audio 4000 RTP/AVP 96 0 97 98',
      'a=rtpmap:96 opus/48000/2',
      'a=rtpmap:97 telephone-event/8000',
      'a=rtpmap:98 telephone-event/48000',
    ];
    const { sdp, negotiated } = called.answer(offer(media));
    expect(negotiated).toMatchObject({
      codec: 'OPUS',
      payloadType: 96,
      telephoneEventType: 98,
      telephoneEventClockHz: 48_000,
    });
    expect(sdp).toContain('m=audio 30000 RTP/AVP 96 98\r\n');
    expect(sdp).toContain('a=rtpmap:96 opus/48000/2\r\n');
    expect(sdp).toMatch(/a=fmtp:96 maxplaybackrate=16000;/);
    expect(sdp).toContain('a=rtpmap:98 telephone-event/48000\r\n');
    const later = called.offer('sendonly');
    expect(later).toContain('m=audio 30000 RTP/AVP 96 9 0 8 98\r\n');
    expect(called.acceptAnswer(offer(media)).codec).toBe('OPUS');
  });

  it('agrees on keys of the common clock where Opus comes with those alone', () => {
    const { negotiated } = new AudioNegotiation(LOCAL, 'off').answer(
      offer(['m=audio 4000 RTP/AVP 96 97', 'a=rtpmap:96 opus/48000/2', 'a=rtpmap:97 telephone-event/8000']),
    );
    expect(negotiated).toMatchObject({ telephoneEventType: 97, telephoneEventClockHz: 8_000 });
  });

  it('gives keys a number that Opus has left free', () => {
    const called = new AudioNegotiation(LOCAL, 'off');
    called.answer(offer(['m=audio 4000 RTP/AVP 101', 'a=rtpmap:101 opus/48000/2']));
    expect(called.offer()).toContain('m=audio 30000 RTP/AVP 101 9 0 8 102\r\n');
  });

  it('does not offer Opus at first, and so takes no answer in it', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    expect(caller.offer()).not.toContain('opus');
    expect(() => caller.acceptAnswer(offer(['m=audio 4000 RTP/AVP 96', 'a=rtpmap:96 opus/48000/2']))).toThrow(
      SdpError,
    );
  });

  it('neither offers nor takes what it may not', () => {
    const narrow = () => new AudioNegotiation(LOCAL, 'off', undefined, ['PCMU', 'PCMA']);
    expect(narrow().offer()).toContain('m=audio 30000 RTP/AVP 0 8 101\r\n');
    expect(narrow().answer(offer(['m=audio 4000 RTP/AVP 9 8'])).negotiated.codec).toBe('PCMA');
    expect(() => narrow().answer(offer(['m=audio 4000 RTP/AVP 9']))).toThrow(SdpError);
  });

  it('begins later offers with what was agreed on, under its number', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    caller.offer();
    caller.acceptAnswer(offer(ALAW));
    // The number of keys stays that of the first offer, whatever the answer calls them (RFC 3264 §8.3.2).
    expect(caller.offer('sendonly')).toContain('m=audio 30000 RTP/AVP 8 9 0 101\r\n');
    const called = new AudioNegotiation(LOCAL, 'off');
    called.answer(offer(['m=audio 4000 RTP/AVP 109', 'a=rtpmap:109 G722/8000']));
    expect(called.offer('sendonly')).toContain('m=audio 30000 RTP/AVP 109 0 8 101\r\n');
    // Another process may not have the codec any more.
    const next = new AudioNegotiation(LOCAL, 'off', called.snapshot(), ['PCMU', 'PCMA']);
    expect(next.offer()).toContain('m=audio 30000 RTP/AVP 0 8 101\r\n');
  });

  it('answers in the order of the offer, with its payload types, and refuses other media', () => {
    const { sdp, negotiated } = new AudioNegotiation(LOCAL, 'off').answer(
      offer(['m=video 5000 RTP/AVP 99', 'a=rtpmap:99 H264/90000', ...ALAW]),
    );
    expect(negotiated).toMatchObject({ codec: 'PCMA', payloadType: 8, telephoneEventType: 96 });
    expect(sdp).toContain('m=video 0 RTP/AVP 99\r\n');
    expect(sdp).toContain('m=audio 30000 RTP/AVP 8 96\r\n');
    expect(sdp.indexOf('m=video')).toBeLessThan(sdp.indexOf('m=audio'));
  });

  it.each([
    ['a=sendonly', 'recvonly'],
    ['a=recvonly', 'sendonly'],
    ['a=inactive', 'inactive'],
    ['a=sendrecv', 'sendrecv'],
  ])('answers %s by %s', (line, direction) => {
    const { sdp, negotiated } = new AudioNegotiation(LOCAL, 'off').answer(offer([...ALAW, line]));
    expect([negotiated.direction, sdp.includes(`a=${direction}\r\n`)]).toEqual([direction, true]);
  });

  it('takes 0.0.0.0 for a hold of the old kind', () => {
    const { negotiated } = new AudioNegotiation(LOCAL, 'off').answer(offer(ALAW, ['c=IN IP4 0.0.0.0']));
    expect(negotiated.direction).toBe('inactive');
  });

  it('raises the version with each change and only then', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    const versionOf = (sdp: string) => parseSessionDescription(sdp).version;
    expect([caller.offer(), caller.offer(), caller.offer('sendonly')].map(versionOf)).toEqual([
      '1',
      '1',
      '2',
    ]);
  });

  it('goes on as before when an offer was refused', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    caller.offer();
    caller.acceptAnswer(offer(ALAW));
    caller.offer('sendonly');
    caller.withdraw();
    expect(caller.answer(offer(ALAW)).negotiated.direction).toBe('sendrecv');
  });

  it('agrees on SRTP keys, and talks in the clear only where that is allowed', () => {
    const savp = ['m=audio 4000 RTP/SAVP 0', `a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^31`];
    const { sdp, negotiated } = new AudioNegotiation(LOCAL, 'optional').answer(offer(savp));
    expect(negotiated.srtp?.remoteKey).toBe(KEY);
    expect(sdp).toMatch(/m=audio 30000 RTP\/SAVP 0\r\n/);
    expect(sdp).toMatch(/a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:/);
    expect(() => new AudioNegotiation(LOCAL, 'off').answer(offer(savp))).toThrow(SdpError);
    expect(() => new AudioNegotiation(LOCAL, 'required').answer(offer(ALAW))).toThrow(SdpError);
    const other = ['m=audio 4000 RTP/SAVP 0', 'a=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:short'];
    expect(() => new AudioNegotiation(LOCAL, 'optional').answer(offer(other))).toThrow(SdpError);
    // An MKI would stand in every packet.
    const mki = ['m=audio 4000 RTP/SAVP 0', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^31|1:4`];
    expect(() => new AudioNegotiation(LOCAL, 'optional').answer(offer(mki))).toThrow(SdpError);
  });

  it('takes no encryption that it has not offered, as the peer cannot have its key', () => {
    const savp = ['m=audio 4000 RTP/SAVP 0', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`];
    const caller = new AudioNegotiation(LOCAL, 'optional');
    expect(caller.offer()).toContain('RTP/AVP ');
    expect(() => caller.acceptAnswer(offer(savp))).toThrow(SdpError);
    expect(caller.offer('sendrecv', true)).toContain('RTP/SAVP ');
    expect(caller.acceptAnswer(offer(savp)).srtp?.remoteKey).toBe(KEY);
    expect(caller.offer('sendonly')).toContain('RTP/SAVP ');
  });

  it.each([
    ['UNENCRYPTED_SRTP', false],
    ['UNAUTHENTICATED_SRTP', false],
    ['KDR=1', false],
    ['FEC_ORDER=FEC_SRTP', false],
    ['KDR=0', true],
    ['WSH=128', true],
    ['UNENCRYPTED_SRTCP', true],
    ['-UNKNOWN', true],
  ])('says whether the session parameter %s can be used: %s', (parameter, isUsable) => {
    const crypto = `AES_CM_128_HMAC_SHA1_80 inline:${KEY}`;
    const media = ['m=audio 4000 RTP/SAVP 0', `a=crypto:1 ${crypto} ${parameter}`, `a=crypto:2 ${crypto}`];
    const { sdp } = new AudioNegotiation(LOCAL, 'optional').answer(offer(media));
    expect(sdp).toContain(`a=crypto:${isUsable ? 1 : 2} `);
  });

  it('continues with another version where another process left off', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    caller.offer();
    caller.acceptAnswer(offer(ALAW));
    const next = new AudioNegotiation({ address: '192.0.2.2', port: 40_000 }, 'off', caller.snapshot());
    const sdp = next.offer();
    const version = (text: string) => Number(parseSessionDescription(text).version);
    expect(version(sdp)).toBeGreaterThan(version(caller.offer()));
    expect(parseSessionDescription(sdp).sessionId).toBe(caller.snapshot().sessionId);
    expect(sdp).toContain('m=audio 40000 ');
  });
});

describe('parseSessionDescription', () => {
  it.each([
    ['nothing', ''],
    ['no version', offer(ALAW).slice(5)],
    ['no origin', offer(ALAW).replace(/o=.*\r\n/, '')],
    ['no media', offer([])],
    ['a line that is none', offer([...ALAW, 'hello'])],
    ['more than 16 KiB', offer([...ALAW, `a=x:${'x'.repeat(17_000)}`])],
    ['more than 500 lines', offer([...ALAW, ...Array.from({ length: 600 }, () => 'a=x')])],
    ['a hundred media', offer(Array.from({ length: 100 }, () => 'm=audio 4000 RTP/AVP 0'))],
    ['a port beyond 65535', offer(['m=audio 99999 RTP/AVP 0'])],
  ])('refuses a description with %s', (_name, text) => {
    expect(() => parseSessionDescription(text)).toThrow(SdpError);
  });

  it('survives mutated descriptions', () => {
    const random = seededRandom(8_866);
    const crypto = [
      'm=audio 4000 RTP/SAVP 0',
      `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`,
      'a=ptime:20',
    ];
    const seeds = [offer(ALAW), offer(crypto)].map((text) => Buffer.from(text));
    for (let count = 0; count < 4_000; count++) {
      const text = mutate(seeds[count % 2]!, random).toString('latin1');
      try {
        new AudioNegotiation(LOCAL, 'optional').answer(text);
      } catch (error) {
        if (!(error instanceof SdpError)) throw new Error(text, { cause: error });
      }
    }
  });

  it.each([
    ['blanks and tabs', (text: string) => text.replaceAll(' ', ' \t ').replace(/a=(\w+):/g, 'a= $1:  ')],
    ['a name with blanks in its origin', (text: string) => text.replace('o=-', 'o=Front desk')],
    ['no clock rates', (text: string) => text.replaceAll('/8000', '')],
    [
      'what a browser offers',
      (text: string) =>
        `${text}${Array.from({ length: 130 }, (_, line) => `a=candidate:${line} 1 udp 2122260223 192.0.2.3 ${line} typ host generation 0 network-id 1\r\na=rtcp-fb:${line % 128} nack pli\r\n`).join('')}`,
    ],
  ])('reads a description with %s', (_name, change) => {
    const text = offer(ALAW);
    const plain = new AudioNegotiation(LOCAL, 'off').answer(text).negotiated;
    expect(plain.telephoneEventType).toBe(96);
    expect(new AudioNegotiation(LOCAL, 'off').answer(change(text)).negotiated).toEqual(plain);
  });

  it.each(['a=rtpmap:0 123/8000', 'a=crypto:1 1 2', 'a=ptime:x', 'a=rtpmap:0'])('survives %s', (line) => {
    expect(() => parseSessionDescription(offer([...ALAW, line]))).not.toThrow();
  });

  it('knows audio that is switched off', () => {
    expect(parseSessionDescription(offer(['m=audio 0 RTP/AVP 0'])).audios).toEqual([]);
  });
});
