import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { AudioNegotiation, SRTP_KEY_BYTES, type SrtpPolicy } from './audio-negotiation.js';
import { parseSessionDescription, SdpError } from './session-description.js';
import { transportSecurityOf } from './transport-profile.js';

const LOCAL = { address: '192.0.2.1', port: 30_000 };
const KEY = randomBytes(SRTP_KEY_BYTES).toString('base64');
const CRYPTO = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`;
/** Lines that look encrypted, and that we have no way to use. */
const UNUSABLE = [
  ['m=audio 4000 UDP/TLS/RTP/SAVPF 0', 'a=fingerprint:sha-256 00:11', 'a=setup:actpass'],
  ['m=audio 4000 RTP/SAVP 0', `a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:${KEY}`],
  ['m=audio 4000 RTP/SAVP 0'],
  ['m=audio 4000 RTP/SAVPF 0', 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:short'],
];

function describing(media: readonly (readonly string[])[], connection = 'c=IN IP4 192.0.2.9'): string {
  const session = ['v=0', 'o=- 1 1 IN IP4 192.0.2.9', 's=-', connection, 't=0 0'];
  return [...session, ...media.flat(), ''].join('\r\n');
}

function answerTo(text: string, srtp: SrtpPolicy = 'off') {
  const called = new AudioNegotiation(LOCAL, srtp);
  const { sdp, negotiated } = called.answer(text);
  return { called, negotiated, media: sdp.match(/^m=.*$/gm) ?? [], sdp };
}

describe('offers over other profiles', () => {
  it.each(['RTP/AVP', 'RTP/AVPF', 'UDP/RTP/AVP'])('answers %s by the same', (profile) => {
    const { called, media, negotiated } = answerTo(
      describing([[`m=audio 4000 ${profile} 8`, 'a=rtcp-fb:* nack']]),
    );
    expect(media).toEqual([`m=audio 30000 ${profile} 8`]);
    expect(negotiated.srtp).toBeNull();
    expect(called.offer('sendonly')).toContain(`m=audio 30000 ${profile} 8 `);
  });

  it.each(['RTP/SAVP', 'RTP/SAVPF'])('answers %s by the same, encrypted', (profile) => {
    const { called, media, negotiated } = answerTo(
      describing([[`m=audio 4000 ${profile} 8`, CRYPTO]]),
      'required',
    );
    expect(media).toEqual([`m=audio 30000 ${profile} 8`]);
    expect(negotiated.srtp?.remoteKey).toBe(KEY);
    expect(called.offer()).toMatch(new RegExp(`m=audio 30000 ${profile} 8 [^]*a=crypto:`));
  });

  it.each(['UDP/TLS/RTP/SAVPF', 'TCP/RTP/AVP', 'RTP/AVPX', 'udptl', ''])('does not take %j', (profile) => {
    expect(transportSecurityOf(profile)).toBeNull();
    expect(() => answerTo(describing([[`m=audio 4000 ${profile} 8`]]), 'optional')).toThrow(SdpError);
  });

  it('takes an answer by feedback to an offer without', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    caller.offer();
    expect(caller.acceptAnswer(describing([['m=audio 4000 RTP/AVPF 8']])).codec).toBe('PCMA');
  });
});

describe('offers of several audios', () => {
  const PLAIN = ['m=audio 5000 RTP/AVP 8'];
  const ENCRYPTED = ['m=audio 6000 RTP/SAVP 0', CRYPTO];

  it.each(UNUSABLE.map((lines) => [lines[0]!, lines] as const))(
    'takes the plain one behind %s, and refuses that',
    (line, lines) => {
      for (const srtp of ['off', 'optional'] as const) {
        const { media, negotiated } = answerTo(describing([lines, PLAIN]), srtp);
        expect(media).toEqual([line.replace('4000', '0'), 'm=audio 30000 RTP/AVP 8']);
        expect(negotiated).toMatchObject({ remotePort: 5_000, srtp: null });
      }
      expect(() => answerTo(describing([lines, PLAIN]), 'required')).toThrow(SdpError);
    },
  );

  it.each<[SrtpPolicy, number]>([
    ['off', 5_000],
    ['optional', 6_000],
    ['required', 6_000],
  ])('takes by the policy %s the audio at port %i, in whatever order', (srtp, port) => {
    for (const media of [
      [PLAIN, ENCRYPTED],
      [ENCRYPTED, PLAIN],
      [UNUSABLE[0]!, PLAIN, ENCRYPTED],
    ]) {
      const { negotiated, media: answered } = answerTo(describing(media), srtp);
      expect(negotiated.remotePort).toBe(port);
      expect(answered.filter((line) => line.startsWith('m=audio 30000 '))).toHaveLength(1);
      expect(answered).toHaveLength(media.length);
    }
  });

  it('takes the first that has a codec and an address of ours', () => {
    const g729 = ['m=audio 4000 RTP/AVP 18', 'a=rtpmap:18 G729/8000'];
    const nowhere = ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 224.2.1.1/127'];
    expect(answerTo(describing([g729, nowhere, PLAIN])).media).toEqual([
      'm=audio 0 RTP/AVP 18',
      'm=audio 0 RTP/AVP 0',
      'm=audio 30000 RTP/AVP 8',
    ]);
  });

  it('keeps the place of the audio in its own later offers (RFC 3264 §8)', () => {
    const video = ['m=video 4000 RTP/AVP 99', 'a=rtpmap:99 H264/90000'];
    const { called } = answerTo(describing([video, PLAIN]));
    const later = called.offer('sendonly');
    expect(later.match(/^m=.*$/gm)).toEqual(['m=video 0 RTP/AVP 99', 'm=audio 30000 RTP/AVP 8 9 0 101']);
    const next = new AudioNegotiation(LOCAL, 'off', JSON.parse(JSON.stringify(called.snapshot())));
    expect(next.offer().match(/^m=.*$/gm)).toHaveLength(2);
    expect(next.acceptAnswer(describing([['m=video 0 RTP/AVP 99'], PLAIN])).codec).toBe('PCMA');
    // The peer may leave them out again.
    called.answer(describing([PLAIN]));
    expect(called.offer().match(/^m=/gm)).toHaveLength(1);
  });
});

describe('offers written in other ways', () => {
  it.each([
    ['a number of ports', 'm=audio 4000/1 RTP/AVP 8', 'm=audio 30000 RTP/AVP 8'],
    ['more blanks', 'm=audio  4000 RTP/AVP  8', 'm=audio 30000 RTP/AVP 8'],
    ['blanks at the end', 'm=audio 4000 RTP/AVP 8 ', 'm=audio 30000 RTP/AVP 8'],
    ['a zero at the end', 'm=audio 4000 RTP/AVP 8\r\n\0', 'm=audio 30000 RTP/AVP 8'],
    [
      'ports of a refused medium',
      'm=video 4000/2 RTP/AVP 99\r\nm=audio 4000 RTP/AVP 8',
      'm=video 0 RTP/AVP 99',
    ],
  ])('are read with %s', (_name, line, answered) => {
    expect(answerTo(describing([[line]])).media[0]).toBe(answered);
  });

  it('are not read as an offer of G.711 because of a blank at the end', () => {
    expect(() => answerTo(describing([['m=audio 4000 RTP/AVP 18 ']]))).toThrow(SdpError);
  });
});

describe('offers of keys', () => {
  it.each([
    [['96 telephone-event/16000'], 96, 16_000],
    [['96 telephone-event/16000', '97 telephone-event/8000'], 97, 8_000],
    [['96 telephone-event/0'], null, 8_000],
  ])('with G.711 and %j agree on %p at %i Hz', (maps, type, clockHz) => {
    const lines = maps.map((map) => `a=rtpmap:${map}`);
    const { negotiated, sdp } = answerTo(describing([['m=audio 4000 RTP/AVP 0 96 97', ...lines]]));
    expect(negotiated).toMatchObject({ telephoneEventType: type, telephoneEventClockHz: clockHz });
    expect(sdp.includes(`a=rtpmap:${type} telephone-event/${clockHz}`)).toBe(type !== null);
  });
});

describe('offers that name a host', () => {
  it.each(['media.example.com', 'localhost', 'sbc-7d9f_a.internal', 'xn--mller-kva.example.'])(
    'takes %s',
    (host) => {
      expect(answerTo(describing([['m=audio 4000 RTP/AVP 8']], `c=IN IP4 ${host}`)).negotiated).toMatchObject(
        {
          remoteAddress: host,
          remoteFamily: 4,
          direction: 'sendrecv',
        },
      );
    },
  );

  it.each([
    '127.1',
    '0x7f.1',
    '2130706433',
    '0x7f000001',
    '10.0.0.256',
    'a/127',
    'a..b!',
    '-a',
    '[::1]',
    'é.example',
    '',
  ])('does not take %j, which is none', (host) => {
    expect(() => answerTo(describing([['m=audio 4000 RTP/AVP 8']], `c=IN IP4 ${host}`))).toThrow(SdpError);
  });
});

describe('the numbers of our own offer', () => {
  it('are what we receive by, whatever the answer calls them', () => {
    const caller = new AudioNegotiation(LOCAL, 'off');
    caller.offer();
    const answer = describing([
      ['m=audio 4000 RTP/AVP 8 97', 'a=rtpmap:8 PCMA/8000', 'a=rtpmap:97 telephone-event/8000'],
    ]);
    // An early answer, and the one of the 200.
    for (let answers = 0; answers < 2; answers++)
      expect(caller.acceptAnswer(answer)).toMatchObject({
        telephoneEventType: 97,
        offered: { payloadType: 8, telephoneEventType: 101 },
      });
    const again = new AudioNegotiation(LOCAL, 'off', caller.snapshot());
    expect(again.offer()).toContain('m=audio 30000 RTP/AVP 8 9 0 101\r\n');
    // An offer of the peer has numbers of its own.
    expect(caller.answer(answer).negotiated.offered).toBeUndefined();
    expect(
      caller.acceptAnswer(describing([['m=audio 4000 RTP/AVP 8']])).offered?.telephoneEventType,
    ).toBeNull();
  });
});

describe('every offer', () => {
  const PROFILES = ['RTP/AVP', 'RTP/AVPF', 'RTP/SAVP', 'RTP/SAVPF', 'UDP/TLS/RTP/SAVPF', 'TCP/MSRP', 'udptl'];
  const medium = fc
    .record({
      type: fc.constantFrom('audio', 'audio', 'audio', 'video', 'image', 'application'),
      port: fc.constantFrom(0, 4_000, 5_002),
      profile: fc.constantFrom(...PROFILES),
      types: fc.uniqueArray(fc.constantFrom(0, 3, 8, 9, 18, 96, 101, 127), { minLength: 1 }),
      maps: fc.subarray(['96 opus/48000/2', '101 telephone-event/8000', '127 G722/8000', '18 G729/8000']),
      crypto: fc.constantFrom([], [CRYPTO], [CRYPTO.replace('_80', '_32')]),
      direction: fc.constantFrom('', 'sendrecv', 'sendonly', 'recvonly', 'inactive'),
      connection: fc.constantFrom(
        '',
        'c=IN IP4 198.51.100.3',
        'c=IN IP6 2001:db8::3',
        'c=IN IP4 media.example',
      ),
    })
    .map(({ type, port, profile, types, maps, crypto, direction, connection }) => [
      `m=${type} ${port} ${profile} ${types.join(' ')}`,
      ...(connection ? [connection] : []),
      ...maps.map((map) => `a=rtpmap:${map}`),
      ...crypto,
      ...(direction ? [`a=${direction}`] : []),
    ]);

  it('is refused as a whole, or answered line by line with one audio at most, and never weaker than the policy', () => {
    const offers = fc.array(medium, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(offers, fc.constantFrom<SrtpPolicy>('off', 'optional', 'required'), (media, srtp) => {
        const text = describing(media);
        const called = new AudioNegotiation(LOCAL, srtp);
        try {
          called.answer(text);
        } catch (error) {
          if (error instanceof SdpError) return;
          throw error;
        }
        const { sdp, negotiated } = called.answer(text);
        const [asked, given] = [text, sdp].map((each) => each.match(/^m=.*$/gm) ?? []);
        expect(given).toHaveLength(asked!.length);
        const open = given!.flatMap((line, index) => (/^m=\S+ 0 /.test(line) ? [] : [index]));
        expect(open).toHaveLength(1);
        const chosen = asked![open[0]!]!.split(' ');
        expect(chosen[0]).toBe('m=audio');
        expect(given![open[0]!]!.split(' ')[2]).toBe(chosen[2]);
        expect(chosen.slice(3)).toContain(String(negotiated.payloadType));
        const security = transportSecurityOf(chosen[2]!);
        expect(negotiated.srtp !== null).toBe(security === 'encrypted');
        if (srtp !== 'optional') expect(security).toBe(srtp === 'required' ? 'encrypted' : 'plain');
        expect(parseSessionDescription(called.offer()).media).toHaveLength(asked!.length);
      }),
      { numRuns: 500 },
    );
  });

  it('gets an answer that our own side takes for an answer', () => {
    const codecs = fc.subarray(['PCMU', 'PCMA', 'G722'] as const, { minLength: 1 });
    fc.assert(
      fc.property(codecs, codecs, fc.boolean(), (ours, theirs, isEncrypted) => {
        const caller = new AudioNegotiation(LOCAL, 'optional', undefined, ours);
        const called = new AudioNegotiation(
          { address: '192.0.2.9', port: 4_000 },
          'optional',
          undefined,
          theirs,
        );
        const offer = caller.offer('sendrecv', isEncrypted);
        if (!ours.some((codec) => theirs.some((other) => other === codec))) {
          expect(() => called.answer(offer)).toThrow(SdpError);
          return;
        }
        const { sdp, negotiated } = called.answer(offer);
        expect(caller.acceptAnswer(sdp)).toMatchObject({ codec: negotiated.codec, remotePort: 4_000 });
        expect(caller.negotiated?.srtp !== null).toBe(isEncrypted);
      }),
    );
  });
});
