import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { bodyPartsOf, sessionDescriptionOf } from './body-parts.js';
import { SipHeaders } from './sip-headers.js';

const SDP = 'v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=-\r\nm=audio 4000 RTP/AVP 8\r\n';
const ISUP = 'Content-Type: application/ISUP;version=itu-t92+\r\n\r\n\u0001\u0000--x\u00ff';
const SDP_PART = `Content-Type: application/sdp\r\n\r\n${SDP}`;

function read(contentType: string, body: string | Buffer, disposition?: string) {
  const headers = new SipHeaders().set('content-type', contentType);
  if (disposition !== undefined) headers.set('content-disposition', disposition);
  return bodyPartsOf(headers, Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'));
}

function sdpOf(contentType: string, body: string | Buffer): string {
  return sessionDescriptionOf(read(contentType, body));
}

function multipart(boundary: string, sections: readonly string[]): string {
  return `${sections.map((section) => `--${boundary}\r\n${section}\r\n`).join('')}--${boundary}--\r\n`;
}

describe('sessionDescriptionOf', () => {
  it.each([
    ['alone', 'Application/SDP; charset=utf-8', SDP],
    ['before ISUP', 'multipart/mixed;boundary=b', multipart('b', [SDP_PART, ISUP])],
    ['after ISUP', 'multipart/mixed; boundary=b', multipart('b', [ISUP, SDP_PART])],
    [
      'after a location',
      'multipart/mixed; boundary="=_b"',
      multipart('=_b', [
        'Content-Type: application/pidf+xml\r\nContent-ID: <a@b>\r\n\r\n<presence/>',
        SDP_PART,
      ]),
    ],
    [
      'with a comment before and behind',
      'multipart/mixed;boundary=b',
      `Ignored\r\n--bc\r\n${multipart('b', [SDP_PART])}--b\r\n${ISUP}`,
    ],
    [
      'with compact names',
      'multipart/mixed;boundary=b',
      multipart('b', [ISUP, `c : application/sdp\r\n\r\n${SDP}`]),
    ],
    [
      'with blanks behind the delimiters',
      'multipart/mixed;boundary=b',
      multipart('b', [SDP_PART]).replaceAll(/--b(?=\r)/g, '--b \t'),
    ],
    ['without the last delimiter', 'multipart/mixed;boundary=b', `--b\r\n${ISUP}\r\n--b\r\n${SDP_PART}`],
    [
      'in a multipart within another',
      'multipart/mixed;boundary=b',
      multipart('b', [
        `Content-Type: multipart/related;boundary=bb\r\n\r\n${multipart('bb', [ISUP, SDP_PART])}`,
        ISUP,
      ]),
    ],
    [
      'as the last alternative',
      'multipart/alternative;boundary=b',
      multipart('b', ['Content-Type: application/sdp\r\n\r\nv=0\r\n', SDP_PART, ISUP]),
    ],
    [
      'next to one of early media',
      'multipart/mixed;boundary=b',
      multipart('b', [
        'Content-Type: application/sdp\r\nContent-Disposition: early-session\r\n\r\nv=0\r\n',
        SDP_PART,
      ]),
    ],
    [
      'of several that are alike, the first',
      'multipart/mixed;boundary=b',
      multipart('b', [SDP_PART, 'Content-Type: application/sdp\r\n\r\nv=0\r\n']),
    ],
    [
      'in base64',
      'multipart/mixed;boundary=b',
      multipart('b', [
        `Content-Type: application/sdp\r\nContent-Transfer-Encoding: BASE64\r\n\r\n${Buffer.from(SDP).toString('base64')}`,
      ]),
    ],
    [
      'quoted as printable',
      'multipart/mixed;boundary=b',
      multipart('b', [
        `Content-Type: application/sdp\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${SDP.replaceAll('=', '=3D').replace('audio', 'au=\r\ndio')}`,
      ]),
    ],
  ])('finds the description %s', (_name, contentType, body) => {
    // A description that ends a part may have given its last line end to the delimiter.
    expect(sdpOf(contentType, body).trimEnd()).toBe(SDP.trimEnd());
  });

  it('reads line ends without CR', () => {
    const body = multipart('b', [ISUP, SDP_PART]).replaceAll('\r\n', '\n');
    expect(sdpOf('multipart/mixed;boundary=b', body)).toBe(SDP.replaceAll('\r\n', '\n'));
  });

  it.each([
    ['no boundary', 'multipart/mixed', multipart('b', [SDP_PART])],
    ['another boundary', 'multipart/mixed;boundary=c', multipart('b', [SDP_PART])],
    ['an empty part', 'multipart/mixed;boundary=b', '--b\r\n--b--'],
    ['a part without header fields', 'multipart/mixed;boundary=b', multipart('b', [`\r\n${SDP}`])],
    ['another type', 'application/isup', SDP],
  ])('finds none with %s', (_name, contentType, body) => {
    expect(sdpOf(contentType, body)).toBe('');
  });

  it('finds the description for every boundary that RFC 2046 allows, with every content of other parts', () => {
    const boundary = fc
      .stringMatching(/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/)
      .filter((text) => !text.includes('\u0000'));
    const others = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 3 });
    fc.assert(
      fc.property(boundary, others, others, fc.constantFrom('\r\n', '\n'), (name, before, after, lineEnd) => {
        const section = (content: Uint8Array | string, type: string) =>
          Buffer.concat([
            Buffer.from(`--${name}${lineEnd}Content-Type: ${type}${lineEnd}${lineEnd}`),
            Buffer.from(content),
            Buffer.from(lineEnd),
          ]);
        const body = Buffer.concat([
          ...before.map((content) => section(content, 'application/octet-stream')),
          section(SDP, 'application/sdp'),
          ...after.map((content) => section(content, 'application/octet-stream')),
          Buffer.from(`--${name}--${lineEnd}`),
        ]);
        // A part may not have the delimiter itself.
        fc.pre(![...before, ...after].some((content) => Buffer.from(content).includes(`--${name}`)));
        expect(sdpOf(`multipart/mixed; boundary="${name}"`, body)).toBe(SDP);
      }),
      { numRuns: 300 },
    );
  });

  it('reads any body without an error, in time that its length bounds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.string({ maxLength: 80 }), (bytes, type) => {
        expect(Array.isArray(read(`multipart/mixed; boundary=${type}`, Buffer.from(bytes)))).toBe(true);
      }),
    );
    const before = process.cpuUsage();
    for (const body of [
      '--b\r\n'.repeat(6_000),
      '-'.repeat(32_000),
      `--b${' '.repeat(32_000)}`,
      '\n'.repeat(32_000),
    ])
      for (let count = 0; count < 20; count++) read('multipart/mixed;boundary=b', body);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});

describe('bodyPartsOf', () => {
  it('says what each part is for, and whether it may be left out', () => {
    const sections = [
      ISUP,
      'Content-Type: application/isup\r\nContent-Disposition: signal ; handling=Optional\r\n\r\nx',
      SDP_PART,
    ];
    const parts = read('multipart/mixed;boundary=b', multipart('b', sections));
    expect(parts.map(({ type, disposition, isRequired }) => [type, disposition, isRequired])).toEqual([
      ['application/isup', 'render', true],
      ['application/isup', 'signal', false],
      ['application/sdp', 'session', true],
    ]);
    expect(read('text/plain', 'x', 'render;handling=optional')[0]?.isRequired).toBe(false);
    expect(read('text/plain', '')).toEqual([]);
  });

  it('reads no more parts, and no deeper, than a message has', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? SDP_PART
        : `Content-Type: multipart/mixed;boundary=b${depth}\r\n\r\n${multipart(`b${depth}`, [nested(depth - 1)])}`;
    expect(sdpOf('multipart/mixed;boundary=b', multipart('b', [nested(3)]))).toBe(SDP);
    expect(sdpOf('multipart/mixed;boundary=b', multipart('b', [nested(5)]))).toBe('');
    expect(
      read(
        'multipart/mixed;boundary=b',
        multipart(
          'b',
          Array.from({ length: 100 }, () => ISUP),
        ),
      ),
    ).toHaveLength(20);
  });
});
