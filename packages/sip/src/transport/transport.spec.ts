import { describe, expect, it } from '@jest/globals';
import { SipRequest } from '../message/sip-message.js';
import { SourceLimiter } from './source-limiter.js';
import { type SipDns, SipResolutionError, SipResolver } from './sip-resolver.js';
import type { SipEndpoint } from './sip-endpoint.js';
import { StreamFramer, StreamFramingError } from './stream-framer.js';
import { markReceived, responseEndpoint, seenFrom } from './via.js';

function dns(records: {
  naptr?: Awaited<ReturnType<SipDns['naptr']>>;
  srv?: Readonly<Record<string, Awaited<ReturnType<SipDns['srv']>>>>;
  addresses?: Readonly<Record<string, readonly string[]>>;
}): SipDns {
  return {
    naptr: () => Promise.resolve(records.naptr ?? []),
    srv: (name) => Promise.resolve(records.srv?.[name] ?? []),
    addresses: (name) => Promise.resolve(records.addresses?.[name] ?? []),
  };
}

const PROTOCOLS = ['tls', 'tcp', 'udp'] as const;
const text = (found: readonly SipEndpoint[]) =>
  found.map(({ protocol, address, port }) => `${protocol} ${address}:${port}`);

describe('SipResolver', () => {
  const records = {
    naptr: [
      { order: 20, preference: 1, flags: 's', service: 'SIP+D2U', replacement: '_sip._udp.x' },
      { order: 10, preference: 2, flags: 's', service: 'SIP+D2T', replacement: '_sip._tcp.x' },
      { order: 10, preference: 1, flags: 's', service: 'SIPS+D2T', replacement: '_sips._tcp.x' },
      { order: 1, preference: 1, flags: 'u', service: 'E2U+sip', replacement: '' },
    ],
    srv: {
      '_sips._tcp.x': [{ priority: 1, weight: 0, port: 5071, name: 'a.x' }],
      '_sip._tcp.x': [
        { priority: 2, weight: 0, port: 5072, name: 'b.x' },
        { priority: 1, weight: 0, port: 5060, name: 'a.x' },
      ],
      '_sip._udp.x': [{ priority: 1, weight: 0, port: 5060, name: 'b.x' }],
    },
    addresses: { 'a.x': ['192.0.2.1'], 'b.x': ['192.0.2.2', '192.0.2.3'], x: ['192.0.2.9'] },
  };

  it('goes by NAPTR, then SRV priority, then addresses', async () => {
    const resolver = new SipResolver({ protocols: PROTOCOLS, dns: dns(records) });
    const found = await resolver.resolve({ host: 'x', port: null, protocol: null });
    expect(text(found)).toEqual([
      'tls 192.0.2.1:5071',
      'tcp 192.0.2.1:5060',
      'tcp 192.0.2.2:5072',
      'tcp 192.0.2.3:5072',
      'udp 192.0.2.2:5060',
      'udp 192.0.2.3:5060',
    ]);
    // TLS checks the name that was asked for, not the one DNS gave.
    expect(found[0]?.serverName).toBe('x');
  });

  it('leaves out what it has no sockets for, and asks only for the transport a URI names', async () => {
    const udpOnly = new SipResolver({ protocols: ['udp'], dns: dns(records) });
    expect(text(await udpOnly.resolve({ host: 'x', port: null, protocol: null }))[0]).toBe(
      'udp 192.0.2.2:5060',
    );
    const all = new SipResolver({ protocols: PROTOCOLS, dns: dns(records) });
    expect(text(await all.resolve({ host: 'x', port: null, protocol: 'tcp' }))[0]).toBe('tcp 192.0.2.1:5060');
    expect(text(await all.resolve({ host: 'x', port: null, protocol: null, secure: true }))).toEqual([
      'tls 192.0.2.1:5071',
    ]);
  });

  it('asks for no records where a port or an address is given', async () => {
    const resolver = new SipResolver({ protocols: PROTOCOLS, dns: dns(records) });
    expect(text(await resolver.resolve({ host: 'x', port: 5099, protocol: null }))).toEqual([
      'udp 192.0.2.9:5099',
    ]);
    expect(text(await resolver.resolve({ host: '2001:db8::1', port: null, protocol: 'tls' }))).toEqual([
      'tls 2001:db8::1:5061',
    ]);
  });

  it('falls back to the address of the name, on the default port', async () => {
    const resolver = new SipResolver({ protocols: PROTOCOLS, dns: dns({ addresses: records.addresses }) });
    expect(text(await resolver.resolve({ host: 'x', port: null, protocol: null }))).toEqual([
      'udp 192.0.2.9:5060',
    ]);
  });

  it('chooses within a priority by weight', async () => {
    const srv = {
      '_sip._udp.x': [1, 9].map((weight) => ({ priority: 1, weight, port: 5060, name: `${weight}.x` })),
    };
    const addresses = { '1.x': ['192.0.2.1'], '9.x': ['192.0.2.9'] };
    let heavyFirst = 0;
    for (let index = 0; index < 100; index++) {
      const resolver = new SipResolver({
        protocols: ['udp'],
        dns: dns({ srv, addresses }),
        random: () => index / 100,
      });
      const [first] = await resolver.resolve({ host: 'x', port: null, protocol: 'udp' });
      if (first?.address === '192.0.2.9') heavyFirst++;
    }
    expect(heavyFirst).toBeGreaterThanOrEqual(88);
  });

  it('tries a server that gave no answer last', async () => {
    const resolver = new SipResolver({
      protocols: PROTOCOLS,
      dns: dns({ addresses: { x: ['192.0.2.1', '192.0.2.2'] } }),
    });
    const [first] = await resolver.resolve({ host: 'x', port: null, protocol: null });
    resolver.avoid(first!);
    expect(text(await resolver.resolve({ host: 'x', port: null, protocol: null }))).toEqual([
      'udp 192.0.2.2:5060',
      'udp 192.0.2.1:5060',
    ]);
  });

  it('refuses what is not permitted by the address, whatever the name', async () => {
    const addresses = { x: ['127.0.0.1', '192.0.2.1'], y: ['127.0.0.1'] };
    const isPermitted = (address: string) => address !== '127.0.0.1';
    const resolver = new SipResolver({ protocols: PROTOCOLS, dns: dns({ addresses }), isPermitted });
    expect(text(await resolver.resolve({ host: 'x', port: null, protocol: null }))).toEqual([
      'udp 192.0.2.1:5060',
    ]);
    const refusal = expect.objectContaining({ reason: 'forbidden' });
    await expect(resolver.resolve({ host: 'y', port: null, protocol: null })).rejects.toEqual(refusal);
    await expect(resolver.resolve({ host: '127.0.0.1', port: null, protocol: null })).rejects.toEqual(
      refusal,
    );
    await expect(resolver.resolve({ host: 'z', port: null, protocol: null })).rejects.toThrow(
      SipResolutionError,
    );
  });
});

describe('SourceLimiter', () => {
  const limits = {
    stranger: { perSecond: 10, burst: 5 },
    strangers: { perSecond: 100, burst: 20 },
    known: { perSecond: 1_000, burst: 100 },
    sources: 50,
  };
  const count = (times: number, allow: () => boolean) =>
    Array.from({ length: times }, allow).filter(Boolean).length;

  it('stops a loud stranger, and lets it in again after a while', () => {
    let nowMs = 0;
    const limiter = new SourceLimiter(() => nowMs, limits);
    expect(count(50, () => limiter.allow('192.0.2.1'))).toBe(5);
    nowMs = 300;
    expect(count(50, () => limiter.allow('192.0.2.1'))).toBe(3);
  });

  it('stops many strangers together, and never those it knows', () => {
    const limiter = new SourceLimiter(() => 0, limits);
    limiter.know('192.0.2.200');
    let sender = 0;
    expect(count(5_000, () => limiter.allow(`10.0.${sender >> 8}.${sender++ & 255}`))).toBe(20);
    expect(count(500, () => limiter.allow('192.0.2.200'))).toBe(100);
  });

  it('knows listed addresses however many others it has met, for as long as they are listed', () => {
    const limiter = new SourceLimiter(() => 0, limits);
    let isListed = true;
    limiter.isListed = (address) => isListed && address === '192.0.2.200';
    for (let index = 0; index < 500; index++) limiter.know(`192.0.${index >> 8}.${index & 255}`);
    let sender = 0;
    count(5_000, () => limiter.allow(`10.0.${sender >> 8}.${sender++ & 255}`));
    expect(count(500, () => limiter.allow('192.0.2.200'))).toBe(100);
    isListed = false;
    expect(count(500, () => limiter.allow('192.0.2.200'))).toBe(0);
  });

  it('keeps a bounded number of addresses in mind', () => {
    const limiter = new SourceLimiter(() => 0, limits);
    for (let index = 0; index < 500; index++) limiter.know(`192.0.${index >> 8}.${index & 255}`);
    expect([limiter.isKnown('192.0.0.0'), limiter.isKnown('192.0.1.243')]).toEqual([false, true]);
  });
});

describe('StreamFramer', () => {
  const MESSAGE = Buffer.from('OPTIONS sip:a SIP/2.0\r\nl: 4\r\n\r\nbody');

  it('cuts messages however they are chopped up', () => {
    const all = Buffer.concat([MESSAGE, Buffer.from('\r\n'), MESSAGE, MESSAGE]);
    for (let size = 1; size < 20; size++) {
      const framer = new StreamFramer();
      const found: string[] = [];
      for (let at = 0; at < all.length; at += size) {
        for (const message of framer.push(Buffer.from(all.subarray(at, at + size))))
          found.push(String(message));
      }
      expect(found).toEqual([String(MESSAGE), String(MESSAGE), String(MESSAGE)]);
      expect(framer.pendingBytes).toBe(0);
    }
  });

  it('asks for an answer to a double line end between messages', () => {
    let pings = 0;
    const framer = new StreamFramer(() => pings++);
    expect([...framer.push(Buffer.from('\r\n\r\n'))]).toEqual([]);
    expect([...framer.push(MESSAGE)]).toHaveLength(1);
    expect(pings).toBe(1);
  });

  it('finds the length in a folded line, and the end of headers that come in pieces', () => {
    const folded = Buffer.from('OPTIONS sip:a SIP/2.0\r\nContent-Length:\r\n 4\r\n\r\nbody');
    const framer = new StreamFramer();
    expect([...framer.push(folded.subarray(0, 45))]).toEqual([]);
    expect([...framer.push(folded.subarray(45))].map(String)).toEqual([String(folded)]);
  });

  it('cuts headers that are too long for the parser, so that the next message is found', () => {
    const long = Buffer.from(`OPTIONS sip:a SIP/2.0\r\nX: ${'x'.repeat(40_000)}\r\nl: 0\r\n\r\n`);
    const cut = [...new StreamFramer().push(Buffer.concat([long, MESSAGE]))];
    expect(cut.map(String)).toEqual([String(long), String(MESSAGE)]);
  });

  it.each([
    ['endless headers', 'x'.repeat(70_000), 513],
    ['a body beyond all measure', 'OPTIONS sip:a SIP/2.0\r\nContent-Length: 99999999\r\n\r\n', 413],
    ['two lengths', 'OPTIONS sip:a SIP/2.0\r\nContent-Length: 4\r\nl: 5\r\n\r\n', 400],
    ['a body without a length', 'OPTIONS sip:a SIP/2.0\r\nc : text/plain\r\n\r\n', 400],
    ['a length that is none', 'OPTIONS sip:a SIP/2.0\r\nContent-Length: -4\r\n\r\n', 400],
  ])('gives a stream up for %s, after what came before', (_name, bytes, status) => {
    const found: string[] = [];
    let error: unknown = null;
    try {
      for (const message of new StreamFramer().push(Buffer.concat([MESSAGE, Buffer.from(bytes)])))
        found.push(String(message));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(StreamFramingError);
    expect(error).toMatchObject({ status, head: Buffer.from(bytes) });
    expect(found).toEqual([String(MESSAGE)]);
  });
});

describe('Via', () => {
  const source: SipEndpoint = { protocol: 'udp', address: '198.51.100.7', port: 40_000 };
  function received(via: string): string {
    const request = new SipRequest('OPTIONS', 'sip:a');
    request.headers.set('via', via);
    markReceived(request, source);
    return request.headers.get('via') ?? '';
  }

  it('notes where a request came from', () => {
    expect(received('SIP/2.0/UDP 10.0.0.1:5060;rport;branch=b')).toBe(
      'SIP/2.0/UDP 10.0.0.1:5060;branch=b;received=198.51.100.7;rport=40000',
    );
    expect(received('SIP/2.0/UDP 10.0.0.1;branch=b;received=1.2.3.4')).toBe(
      'SIP/2.0/UDP 10.0.0.1;branch=b;received=198.51.100.7',
    );
    expect(received('SIP/2.0/UDP 198.51.100.7;branch=b')).toBe('SIP/2.0/UDP 198.51.100.7;branch=b');
  });

  it('answers to the sender, at the port that was asked for', () => {
    expect(responseEndpoint('SIP/2.0/UDP 10.0.0.1:5070;rport', source).port).toBe(40_000);
    expect(responseEndpoint('SIP/2.0/UDP 10.0.0.1:5070;maddr=10.9.9.9', source)).toEqual({
      ...source,
      port: 5_070,
    });
    expect(responseEndpoint('SIP/2.0/UDP 10.0.0.1', source).port).toBe(5_060);
    const stream = { ...source, protocol: 'tcp' } as const;
    expect(responseEndpoint('SIP/2.0/TCP 10.0.0.1:5070', stream)).toEqual(stream);
  });

  it('learns its own public address', () => {
    expect(seenFrom('SIP/2.0/UDP 10.0.0.1:5060;received=203.0.113.5;rport=6000')).toEqual({
      host: '203.0.113.5',
      port: 6_000,
    });
    expect(seenFrom('nonsense')).toBeNull();
  });
});
