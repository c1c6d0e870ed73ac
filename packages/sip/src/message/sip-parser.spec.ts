import { describe, expect, it } from '@jest/globals';
import { mutate, seededRandom } from '../../testing/sip-mutations.js';
import { TORTURE } from '../../testing/sip-torture.js';
import { Dialog } from '../dialog/dialog.js';
import { parseNameAddress } from './header-values.js';
import { SipRequest, SipResponse } from './sip-message.js';
import { parseSipMessage } from './sip-parser.js';
import { parseSipUri } from './sip-uri.js';

const INVITE = [
  'INVITE sip:bob@example.com SIP/2.0',
  'v: SIP/2.0/UDP a.example.com:5070;branch=z9hG4bK1;rport, SIP/2.0/TCP b.example.com;branch=z9hG4bK0',
  'f: "Ann \\"A\\" Lee" <sip:ann@example.com;user=phone>;tag=abc',
  't: sip:bob@example.com',
  'i: 1@a',
  'CSEQ: 7   INVITE',
  'Max-Forwards: 70',
  'Subject: folded',
  ' over lines',
  'm: <sip:ann@a.example.com>, "x,y" <sip:z@b>;q=0.1',
  'c: application/sdp',
  'l: 4',
  '',
  'v=0\n',
].join('\r\n');

function parse(text: string | Buffer) {
  return parseSipMessage(Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1'));
}

function requestOf(text: string | Buffer): SipRequest {
  const parsed = parse(text);
  if (parsed.kind !== 'message' || parsed.message.kind !== 'request') throw new Error('no request');
  return parsed.message;
}

describe('parseSipMessage', () => {
  it('reads compact names, lists, folded lines and quoted names', () => {
    const request = requestOf(INVITE);
    expect(request.headers.all('via')).toHaveLength(2);
    expect(request.via).toMatchObject({ transport: 'UDP', host: 'a.example.com', port: 5070 });
    expect(request.branch).toBe('z9hG4bK1');
    expect(request.from).toMatchObject({ displayName: 'Ann "A" Lee', uri: 'sip:ann@example.com;user=phone' });
    expect([request.fromTag, request.toTag, request.cseq.number]).toEqual(['abc', null, 7]);
    expect(request.headers.get('subject')).toBe('folded over lines');
    expect(request.headers.all('contact')).toEqual(['<sip:ann@a.example.com>', '"x,y" <sip:z@b>;q=0.1']);
    expect(request.sdp).toBe('v=0\n');
  });

  it('writes what it has read, byte for byte', () => {
    const request = requestOf(INVITE.replace('folded', 'caf\u00c3\u00a9 \u00ff'));
    const again = requestOf(request.serialize());
    expect(Object.fromEntries(again.headers.entries())).toEqual(
      Object.fromEntries(request.headers.clone().set('content-length', 4).entries()),
    );
    expect(again.headers.get('subject')).toBe('caf\u00c3\u00a9 \u00ff over lines');
    expect(again.body).toEqual(request.body);
  });

  it('cuts a body at its Content-Length, and refuses one that is shorter', () => {
    expect(requestOf(`${INVITE}more`).body.toString()).toBe('v=0\n');
    expect(parse(INVITE.replace('l: 4', 'l: 400'))).toMatchObject({ kind: 'malformed', status: 400 });
    expect(parse(INVITE.replace('l: 4', 'l: -4'))).toMatchObject({ kind: 'malformed', status: 400 });
  });

  it.each([
    ['no Call-ID', INVITE.replace('i: 1@a\r\n', '')],
    ['two From', INVITE.replace('i: 1@a', 'i: 1@a\r\nFrom: <sip:x@y>;tag=1')],
    ['another method in CSeq', INVITE.replace('7   INVITE', '7 BYE')],
    ['a CSeq beyond 2^31', INVITE.replace('7   INVITE', '4294967296 INVITE')],
    ['a Request-URI in brackets', INVITE.replace('sip:bob@example.com SIP', '<sip:bob@example.com> SIP')],
    ['another version', INVITE.replace('SIP/2.0\r\nv', 'SIP/7.0\r\nv')],
    ['an endless header', INVITE.replace('folded', 'x'.repeat(17_000))],
    ['too many headers', INVITE.replace('Subject', 'X: 1\r\n'.repeat(300) + 'Subject')],
    ['too many values in one', INVITE.replace('Subject', `Supported: ${'x,'.repeat(4_000)}y\r\nSubject`)],
    ['a zero byte', INVITE.replace('folded', 'a\0b')],
    ['no headers at all', 'INVITE sip:bob@example.com SIP/2.0\r\n\r\n'],
    ['nothing', ''],
  ])('refuses a message with %s', (_name, text) => {
    expect(parse(text).kind).toBe('malformed');
  });

  it.each([
    ['another version', INVITE.replace('SIP/2.0\r\nv', 'SIP/7.0\r\nv'), 505],
    [
      'a From that cannot be read',
      INVITE.replace(/f: .*/, 'f: Ann sip:a@b <sip:c@d> <sip:e@f>;tag=abc'),
      400,
    ],
    ['no From, To and Call-ID', INVITE.replace(/(?:f|t|i): .*\r\n/g, ''), 400],
    ['a Via that cannot be read', INVITE.replace(/v: .*/, 'v: SIP/2.0/UDP host (ours);branch=z9hG4bK1'), 400],
    ['a header without a colon', INVITE.replace('Subject: folded', 'Subject'), 400],
    ['a From whose name cannot be read', INVITE.replace('f: ', 'From (us): '), 400],
    ['more than 16 KiB of headers', INVITE.replace('folded', 'x'.repeat(17_000)), 513],
    ['a Request-URI with blanks', INVITE.replace('bob@example.com SIP', 'bob@example.com; lr SIP'), 400],
    ['a long Request-URI', INVITE.replace('sip:bob@', `sip:${'b'.repeat(3_000)}@`), 414],
    ['a body beyond all measure', INVITE.replace('l: 4', 'l: 40000'), 413],
    ['no empty line after the headers', INVITE.slice(0, INVITE.indexOf('\r\n\r\n')), 400],
    ['line ends without CR', INVITE.replaceAll('\r\n', '\n'), 400],
  ])('can refuse a request with %s, and repeats what it has', (_name, text, status) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({ kind: 'malformed', status, request: { method: 'INVITE' } });
    if (parsed.kind === 'message') return;
    const written = SipResponse.to(parsed.request!, parsed.status, 'tag').serialize().toString('latin1');
    expect(written.length).toBeLessThan(text.length + 50);
    for (const [short, long] of Object.entries({ f: 'From', i: 'Call-ID', CSEQ: 'CSeq' })) {
      const value = new RegExp(`^${short}: ([^\\r\\n]*)`, 'm').exec(text)?.[1];
      if (value === undefined) expect(written).not.toContain(`${long}: `);
      else expect(written).toContain(`${long}: ${value}\r\n`);
    }
    expect(written).toMatch(/^Via: SIP\/2\.0\/UDP [^,]*$/m);
  });

  it.each([
    ['an ACK', INVITE.replaceAll('INVITE', 'ACK').replace('SIP/2.0\r\nv', 'SIP/7.0\r\nv')],
    ['a response', INVITE.replace(/^INVITE.*/, 'SIP/2.0 200 OK').replace(/f: .*/, 'f: <<')],
    ['a request without Via', INVITE.replace(/v: .*\r\n/, '').replace(/f: .*/, 'f: <<')],
    ['a request of another protocol', 'GET / HTTP/1.1\r\nVia: 1.1 proxy\r\n\r\n'],
  ])('answers nothing to %s', (_name, text) => {
    expect(parse(text)).toMatchObject({ kind: 'malformed', request: null });
  });

  it.each(['X Customer: 7', ': no name', 'X-Ação: 1', 'X(1): 2'])(
    'ignores a header line that cannot be read and is not needed: %s',
    (line) => {
      const { headers } = requestOf(INVITE.replace('Subject: folded', line));
      expect(headers.get('contact')).toContain('ann@a.example.com');
      expect([...headers.entries()].map(([name]) => name)).not.toContain('subject');
    },
  );

  it('takes a line of more than 8 KiB, as the Identity of a call with several PASSporTs', () => {
    const identity = `${'e'.repeat(9_000)};info=<https://x>`;
    expect(
      requestOf(INVITE.replace('Subject: folded', `Identity: ${identity}`)).headers.get('identity'),
    ).toBe(`${identity} over lines`);
  });

  it.each(TORTURE)('takes "$name" of RFC 4475 as $verdict', ({ text, verdict }) => {
    expect(parse(text).kind).toBe(verdict === 'invalid' ? 'malformed' : 'message');
  });

  it('survives mutated messages, and writes what it took so that it is taken again', () => {
    const random = seededRandom(4_475);
    const seeds = [INVITE, ...TORTURE.map(({ text }) => text)].map((text) => Buffer.from(text, 'latin1'));
    let taken = 0;
    for (let count = 0; count < 4_000; count++) {
      const bytes = mutate(seeds[count % seeds.length]!, random);
      const parsed = parse(bytes);
      if (parsed.kind !== 'message') continue;
      taken++;
      const { message } = parsed;
      if (message.kind === 'request') parseSipUri(message.uri);
      for (const value of message.headers.all('contact')) parseNameAddress(value);
      if (parse(message.serialize()).kind !== 'message') throw new Error(bytes.toString('latin1'));
    }
    expect(taken).toBeGreaterThan(200);
  });

  it('takes no longer for hostile lines than for others of their length', () => {
    const hostile = [
      '"'.repeat(8_000),
      '<'.repeat(8_000),
      ' '.repeat(8_000),
      `"${'\\'.repeat(8_000)}`,
      ';a='.repeat(2_600),
    ];
    const startedAt = performance.now();
    for (const line of hostile) {
      for (const name of ['v', 'f', 't', 'm', 'CSeq', 'Route'])
        parse(INVITE.replace('Subject: folded', `${name}: ${line}`));
    }
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it.each([
    ['a Via with blanks after its host', `v: SIP/2.0/UDP a${' '.repeat(8_000)}x`],
    ['a Via with blanks around its port', `v: SIP/2.0/UDP a${' '.repeat(4_000)}:${' '.repeat(4_000)}5060 x`],
    ['a tag before a bracket', `f: sip:a@b;tag=${'A'.repeat(8_000)}>`],
  ])('makes a call of %s in no more time than of others', (_name, line) => {
    const pattern = line.startsWith('v') ? /v: [^\r]*/ : /f: [^\r]*/;
    const text = Buffer.from(
      INVITE.replace(pattern, () => line),
      'latin1',
    );
    const before = process.cpuUsage();
    for (let count = 0; count < 50; count++) {
      const parsed = parse(text);
      if (parsed.kind === 'message' && parsed.message.kind === 'request')
        Dialog.ofRequest(parsed.message, 'ours', { protocol: 'udp', address: '192.0.2.9', port: 5_060 });
    }
    // Processor time, because other processes share it. Quadratic parsing would take several times as long.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(400);
  });
});

describe('parseSipUri', () => {
  it.each([
    ['sip:+5511@host.example:5070;transport=tcp', { user: '+5511', host: 'host.example', port: 5070 }],
    ['sips:a%20b:pw@[2001:DB8::1]', { scheme: 'sips', user: 'a b', host: '2001:db8::1', port: null }],
    ['tel:+55-11-3000;phone-context=x', { scheme: 'tel', user: '+55113000' }],
    ['sip:host', { user: '', host: 'host' }],
    ['SIP:3000;phone-context=+55@host', { user: '3000' }],
  ])('reads %s', (text, expected) => {
    expect(parseSipUri(text)).toMatchObject(expected);
  });

  it.each([
    'http://x',
    'sip:',
    'sip:a@',
    'sip:a@b:99999',
    'sip:a@b:0',
    'sip:%zz@b',
    'sip:a b@c',
    `sip:${'a'.repeat(3_000)}@b`,
  ])('refuses %.40s', (text) => expect(parseSipUri(text)).toBeNull());
});

describe('SipResponse.to', () => {
  it('copies what a response must repeat, and puts the tag where none is', () => {
    const response = SipResponse.to(requestOf(INVITE), 486, 'ours');
    const text = response.serialize().toString('latin1');
    expect(text).toMatch(
      /^SIP\/2\.0 486 Busy Here\r\nVia: SIP\/2\.0\/UDP a\.example\.com:5070;branch=z9hG4bK1;rport\r\nVia: /,
    );
    expect(response.toTag).toBe('ours');
    expect(text).toMatch(/CSeq: 7 {3}INVITE\r\n/);
    expect(text.endsWith('Content-Length: 0\r\n\r\n')).toBe(true);
  });
});
