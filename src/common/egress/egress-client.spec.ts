import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EgressClient, type EgressClientOptions, type EgressRequest } from './egress-client.js';
import { EgressError, type EgressErrorCode } from './egress-error.js';

/** For public.example, self-signed, known to this file only. */
const TLS_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzy6LRIfg2h4hVvd5
rmjVnwxoLqBVHuORtZ9vyzQk17+hRANCAATO65m15eIg+BPd/4qrcDBZt8P81+SA
x2QD5d1avcw+OiR8Edg87DvAzE5EJ6RWadofsFIiiiuRK1OCxgwlgsEE
-----END PRIVATE KEY-----
`;
const TLS_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBcDCCARagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5wdWJsaWMu
ZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOcHVibGljLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATO
65m15eIg+BPd/4qrcDBZt8P81+SAx2QD5d1avcw+OiR8Edg87DvAzE5EJ6RWadof
sFIiiiuRK1OCxgwlgsEEo00wSzAZBgNVHREEEjAQgg5wdWJsaWMuZXhhbXBsZTAP
BgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBROVYWw0Uv9S3hz7k0bJhg9gwCUfzAK
BggqhkjOPQQDAgNIADBFAiEAn2YfjFDCEadJ1tNbZahR9tFDdTwS+rs6iileWenF
tdgCIH0dPxf75hFArLWJ904v4/3zqmviWE9V45nHYYRx4AmL
-----END CERTIFICATE-----
`;

/** 127.0.0.2 serves and plays the public internet together with 127.0.0.3, where nothing listens. */
const ALLOW_CIDRS = ['127.0.0.2/31'];

const NAMES: Record<string, string[]> = {
  'public.example': ['127.0.0.2'],
  'public.example.': ['127.0.0.2'],
  'other.example': ['127.0.0.2'],
  'xn--bcher-kva.example': ['127.0.0.2'],
  'with_underscore.example': ['127.0.0.2'],
  'half-dead.example': ['127.0.0.3', '127.0.0.2'],
  'dead.example': ['127.0.0.3'],
  'both.example': ['::1', '127.0.0.2'],
};

async function lookup(hostname: string): Promise<{ address: string }[]> {
  const addresses = NAMES[hostname];
  if (addresses === undefined) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address }));
}

interface Seen {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

const seen: Seen[] = [];

const ENCODERS: Record<string, (text: string) => Buffer> = {
  gzip: (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
  br: (text) => brotliCompressSync(text),
  'gzip, br': (text) => brotliCompressSync(gzipSync(text)),
  identity: (text) => Buffer.from(text),
  zstd: (text) => Buffer.from(text),
};

/** `/redirect?status=&to=`, `/encoded?as=`, `/bytes?n=`, `/text?charset=`, `/status?code=`, `/silent`; else `ok`. */
const respond: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
};

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  seen.push({
    method: request.method,
    path: request.url,
    headers: request.headers,
    body,
  });
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://public.example');
  switch (pathname) {
    case '/redirect':
      response.writeHead(Number(query.get('status')), { location: query.get('to') ?? '' }).end('moved');
      return;
    case '/encoded': {
      const coding = query.get('as') ?? '';
      response.writeHead(200, { 'content-encoding': coding }).end(ENCODERS[coding]?.('olá, mundo'));
      return;
    }
    case '/bytes':
      response.end('x'.repeat(Number(query.get('n'))));
      return;
    case '/text': {
      const charset = query.get('charset');
      const type = charset === null ? 'text/plain' : `text/plain; charset="${charset}"`;
      response
        .writeHead(200, { 'content-type': type })
        .end(Buffer.from('não', charset === null ? 'utf8' : 'latin1'));
      return;
    }
    case '/status':
      response.writeHead(Number(query.get('code')), { 'content-encoding': 'gzip' }).end();
      return;
    case '/silent':
      return;
    default:
      response.writeHead(200, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] }).end('ok');
  }
}

async function listen<T extends Server>(server: T): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  return (server.address() as AddressInfo).port;
}

describe('EgressClient', () => {
  const server = createServer(respond);
  const tlsServer = createTlsServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }, respond);
  const clients: EgressClient[] = [];
  let port: number;
  let tlsPort: number;
  let client: EgressClient;

  beforeAll(async () => {
    port = await listen(server);
    tlsPort = await listen(tlsServer);
    client = newClient();
  });

  beforeEach(() => {
    seen.length = 0;
  });

  afterAll(async () => {
    await Promise.all(clients.map((each) => each.close()));
    for (const each of [server, tlsServer]) {
      each.closeAllConnections();
      each.close();
    }
  });

  function newClient(options: Partial<EgressClientOptions> = {}): EgressClient {
    const created = new EgressClient({ allowCidrs: ALLOW_CIDRS, lookup, ...options });
    clients.push(created);
    return created;
  }

  function request(rest: Partial<EgressRequest> & { path?: string }): EgressRequest {
    const { path = '/', ...given } = rest;
    const url = `http://public.example:${port}${path}`;
    return { method: 'GET', url, timeoutMs: 2000, maxBytes: 1000, ...given };
  }

  async function failure(given: EgressRequest, through = client): Promise<EgressErrorCode> {
    const error = await through.request(given).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EgressError);
    return (error as EgressError).code;
  }

  function redirect(status: number, to: string): string {
    return `/redirect?status=${status}&to=${encodeURIComponent(to)}`;
  }

  describe('legitimate targets', () => {
    const targets = (): [title: string, url: string][] => [
      ['a name', `http://public.example:${port}/`],
      ['a name with its dot', `http://public.example.:${port}/`],
      ['a name in capitals', `HTTP://PUBLIC.Example:${port}/`],
      ['an international name', `http://bücher.example:${port}/`],
      ['a name with an underscore', `http://with_underscore.example:${port}/`],
      ['an address', `http://127.0.0.2:${port}/`],
      ['an address as a number', `http://2130706434:${port}/`],
      ['an address in hexadecimal', `http://0x7f.0.0.0x2:${port}/`],
      ['no path', `http://public.example:${port}`],
      ['a path with dots', `http://public.example:${port}/a/../b/./c`],
      ['an encoded path', `http://public.example:${port}/%2e%2e/%C3%A3%20`],
      ['a path that is a URL', `http://public.example:${port}/http://127.0.0.1/`],
      ['two slashes', `http://public.example:${port}//public.example/`],
      ['a query in Unicode', `http://public.example:${port}/?q=são+paulo&url=http://localhost`],
      ['an at sign in the path', `http://public.example:${port}/@user`],
      ['a fragment', `http://public.example:${port}/#@127.0.0.1`],
      ['spaces around', `  http://public.example:${port}/ `],
      ['a name whose first address is dead', `http://half-dead.example:${port}/`],
      ...[301, 302, 303, 307, 308].map((status): [string, string] => [
        `a ${status} to another name`,
        `http://public.example:${port}${redirect(status, `http://other.example:${port}/`)}`,
      ]),
      [
        'a redirect along relative paths',
        `http://public.example:${port}${redirect(302, redirect(301, 'ok'))}`,
      ],
      [
        'a redirect without a scheme',
        `http://public.example:${port}${redirect(302, `//other.example:${port}/`)}`,
      ],
    ];

    it('are all reached', async () => {
      const failed: unknown[] = [];
      for (const [title, url] of targets()) {
        const outcome = await client
          .request(request({ url, maxRedirects: 3 }))
          .catch((error: unknown) => error);
        if (!('bodyText' in (outcome as object)) || (outcome as { bodyText: string }).bodyText !== 'ok') {
          failed.push([title, outcome]);
        }
      }
      expect(targets().length).toBeGreaterThanOrEqual(20);
      expect(failed).toEqual([]);
    });

    it('fall back from a dead IPv6 address to IPv4', async () => {
      const response = await newClient({ allowCidrs: [...ALLOW_CIDRS, '::1/128'] }).request(
        request({ url: `http://both.example:${port}/` }),
      );
      expect(response.status).toBe(200);
    });

    it('are refused when one of their addresses is forbidden, however good the others', async () => {
      expect(await failure(request({ url: `http://both.example:${port}/` }))).toBe('forbidden-address');
    });

    it('are resolved by the machine itself when no look-up is given', async () => {
      const local = newClient({ lookup: undefined });
      expect(await failure(request({ url: `http://localhost:${port}/` }), local)).toBe('forbidden-address');
      expect(await failure(request({ url: 'http://nowhere.invalid/' }), local)).toBe('dns');
    });
  });

  describe('TLS', () => {
    const secure = (name: string) => request({ url: `https://${name}:${tlsPort}/` });

    it('verifies and announces the name, not the address that was dialled', async () => {
      let servername: unknown;
      tlsServer.once('secureConnection', (socket: TLSSocket) => (servername = (socket as any).servername));
      const response = await newClient({ ca: TLS_CERTIFICATE }).request(secure('public.example'));
      expect(response.bodyText).toBe('ok');
      expect(servername).toBe('public.example');
      expect(seen[0]?.headers.host).toBe(`public.example:${tlsPort}`);
    });

    it('refuses a certificate for another name and one without a trusted issuer', async () => {
      expect(await failure(secure('other.example'), newClient({ ca: TLS_CERTIFICATE }))).toBe('protocol');
      expect(await failure(secure('127.0.0.2'), newClient({ ca: TLS_CERTIFICATE }))).toBe('protocol');
      expect(await failure(secure('public.example'))).toBe('protocol');
    });
  });

  describe('what is sent', () => {
    it('carries method, path, headers and body', async () => {
      await client.request(
        request({
          method: 'POST',
          path: '/a?b=c#d',
          headers: { 'X-Token': 't', 'Content-Type': 'text/x' },
          body: 'é',
        }),
      );
      expect(seen[0]).toMatchObject({ method: 'POST', path: '/a?b=c', body: 'é' });
      expect(seen[0]?.headers).toMatchObject({
        'x-token': 't',
        'content-type': 'text/x',
        'content-length': '2',
      });
    });

    it('leaves host, framing and connection to the connection', async () => {
      const headers = { Host: 'internal.example', 'Content-Length': '99', 'Transfer-Encoding': 'chunked' };
      await client.request(
        request({ method: 'POST', headers: { ...headers, Expect: '100-continue' }, body: 'abc' }),
      );
      expect(seen[0]?.headers).toMatchObject({ host: `public.example:${port}`, 'content-length': '3' });
      expect(seen[0]?.headers).not.toHaveProperty('transfer-encoding');
      expect(seen[0]?.headers).not.toHaveProperty('expect');
    });

    it.each<Record<string, string>>([
      { 'x-a': 'b\r\nx-smuggled: 1' },
      { 'x-a\r\nx-smuggled': '1' },
      { 'x a': '1' },
      { 'x-a': 'a\u0000b' },
    ])('refuses the header %j instead of splitting the request', async (headers) => {
      expect(await failure(request({ headers }))).toBe('protocol');
      expect(seen).toEqual([]);
    });

    it('reuses a connection', async () => {
      const fresh = newClient();
      let connections = 0;
      const count = () => (connections += 1);
      server.on('connection', count);
      for (let index = 0; index < 5; index += 1) await fresh.request(request({}));
      server.off('connection', count);
      // Not one: undici frees a connection a moment after its body has ended.
      expect(connections).toBeLessThanOrEqual(2);
    });
  });

  describe('redirects', () => {
    it('are an answer like any other when none may be followed', async () => {
      const response = await client.request(request({ path: redirect(302, '/next') }));
      expect(response).toMatchObject({
        status: 302,
        finalUrl: `http://public.example:${port}${redirect(302, '/next')}`,
      });
      expect(response.headers['location']).toBe('/next');
      expect(seen).toHaveLength(1);
    });

    it('are followed as often as allowed and no further', async () => {
      const path = redirect(302, redirect(302, '/end'));
      const response = await client.request(request({ path, maxRedirects: 2 }));
      expect(response.finalUrl).toBe(`http://public.example:${port}/end`);
      expect(await failure(request({ path, maxRedirects: 1 }))).toBe('too-many-redirects');
    });

    it.each([
      { status: 301, sent: 'POST', arrives: 'GET' },
      { status: 302, sent: 'POST', arrives: 'GET' },
      { status: 303, sent: 'POST', arrives: 'GET' },
      { status: 303, sent: 'PUT', arrives: 'GET' },
      { status: 303, sent: 'HEAD', arrives: 'HEAD' },
      { status: 301, sent: 'PUT', arrives: 'PUT' },
      { status: 307, sent: 'POST', arrives: 'POST' },
      { status: 308, sent: 'DELETE', arrives: 'DELETE' },
    ] as const)('turn $sent into $arrives at $status', async ({ status, sent, arrives }) => {
      const headers = { 'content-type': 'application/json', 'x-own': '1' };
      const body = sent === 'HEAD' ? undefined : '{"a":1}';
      await client.request(
        request({ method: sent, headers, body, path: redirect(status, '/end'), maxRedirects: 1 }),
      );
      const keepsBody = arrives === sent && body !== undefined;
      expect(seen[1]).toMatchObject({ method: arrives, path: '/end', body: keepsBody ? body : '' });
      expect(seen[1]?.headers['x-own']).toBe('1');
      expect(seen[1]?.headers['content-type']).toBe(
        keepsBody || sent === 'HEAD' ? 'application/json' : undefined,
      );
    });

    it('carry no secret to another origin, nor back again', async () => {
      const headers = { Authorization: 'Bearer s', Cookie: 's=1', 'X-Api-Key': 's', Accept: 'text/html' };
      const back = `http://public.example:${port}/end`;
      const path = redirect(307, `http://other.example:${port}${redirect(307, back)}`);
      await client.request(request({ method: 'POST', headers, body: 'b', path, maxRedirects: 2 }));
      expect(seen.map(({ headers: { host } }) => host)).toEqual([
        `public.example:${port}`,
        `other.example:${port}`,
        `public.example:${port}`,
      ]);
      expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer s', cookie: 's=1', 'x-api-key': 's' });
      for (const { headers: received, body } of seen.slice(1)) {
        expect(body).toBe('b');
        expect(received.accept).toBe('text/html');
        expect(received).not.toHaveProperty('authorization');
        expect(received).not.toHaveProperty('cookie');
        expect(received).not.toHaveProperty('x-api-key');
      }
    });

    it.each(['http://', 'ftp://public.example/', 'file:///etc/passwd', 'http://user:pass@public.example/'])(
      'to %s are refused',
      async (to) => {
        expect(await failure(request({ path: redirect(302, to), maxRedirects: 1 }))).toBe('invalid-url');
      },
    );
  });

  describe('what comes back', () => {
    it('is status, joined headers, bytes, text, address and duration', async () => {
      const response = await client.request(request({ path: '/a' }));
      expect(response).toMatchObject({
        status: 200,
        truncated: false,
        finalUrl: `http://public.example:${port}/a`,
      });
      expect(response.headers).toMatchObject({ 'content-type': 'text/plain', 'set-cookie': 'a=1, b=2' });
      expect(response.bytes).toEqual(Buffer.from('ok'));
      expect(response.bodyText).toBe('ok');
      expect(response.durationMs).toBeGreaterThan(0);
    });

    it.each(Object.keys(ENCODERS))('is decoded from %s', async (coding) => {
      const response = await client.request(request({ path: `/encoded?as=${coding}` }));
      expect(response.bodyText).toBe('olá, mundo');
    });

    it.each(['iso-8859-1', null])('is read as charset %s', async (charset) => {
      const path = charset === null ? '/text' : `/text?charset=${charset}`;
      expect((await client.request(request({ path }))).bodyText).toBe('não');
    });

    it('does not end in half a character when it is cut', async () => {
      const response = await client.request(
        request({ path: '/text', maxBytes: 2, whenTooLarge: 'truncate' }),
      );
      expect(response).toMatchObject({ truncated: true, bodyText: 'n' });
    });

    it.each([204, 304])('may be a bodiless %i that claims a compression', async (code) => {
      expect((await client.request(request({ path: `/status?code=${code}` }))).status).toBe(code);
    });

    it('may be an error status, which is for the caller to judge', async () => {
      expect((await client.request(request({ path: '/status?code=503' }))).status).toBe(503);
    });

    it('has no body after HEAD', async () => {
      const response = await client.request(request({ method: 'HEAD', path: '/encoded?as=gzip' }));
      expect(response).toMatchObject({ status: 200, truncated: false, bodyText: '' });
    });

    it('fits exactly at the limit and not one byte above', async () => {
      const exact = await client.request(request({ path: '/bytes?n=1000', whenTooLarge: 'truncate' }));
      expect(exact).toMatchObject({ truncated: false, bytes: Buffer.alloc(1000, 'x') });
      const cut = await client.request(request({ path: '/bytes?n=1001', whenTooLarge: 'truncate' }));
      expect(cut).toMatchObject({ truncated: true, bytes: Buffer.alloc(1000, 'x') });
      expect(await failure(request({ path: '/bytes?n=1001' }))).toBe('too-large');
    });
  });

  describe('failures', () => {
    it('of a name without an address are dns', async () => {
      expect(await failure(request({ url: 'http://nowhere.example/' }))).toBe('dns');
    });

    it('of a closed port are connect', async () => {
      expect(await failure(request({ url: `http://dead.example:${port}/` }))).toBe('connect');
    });

    it('of a look-up that throws at once are dns', async () => {
      const broken = newClient({
        lookup: () => {
          throw new TypeError('broken');
        },
      });
      expect(await failure(request({}), broken)).toBe('dns');
    });

    it('keep the cause for the log and out of the message', async () => {
      const error: unknown = await client
        .request(request({ url: `http://dead.example:${port}/` }))
        .catch((reason: unknown) => reason);
      expect((error as EgressError).message).toBe('The connection to the server could not be established.');
      expect(String((error as EgressError).cause)).toContain('127.0.0.3');
    });

    it('by the caller are aborted, before, during and never after', async () => {
      const controller = new AbortController();
      const running = failure(request({ path: '/silent', signal: controller.signal }));
      setTimeout(() => controller.abort(), 20);
      expect(await running).toBe('aborted');
      seen.length = 0;
      expect(await failure(request({ signal: controller.signal }))).toBe('aborted');
      expect(seen).toEqual([]);
      const later = new AbortController();
      const response = await client.request(request({ signal: later.signal }));
      later.abort();
      expect(response.bodyText).toBe('ok');
    });

    it('at closing are aborted, for those who run and those who come later', async () => {
      const closed = newClient();
      const running = failure(request({ path: '/silent' }), closed);
      const connecting = failure(
        request({}),
        newClient({ lookup: () => new Promise(() => {}), allowCidrs: [] }),
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      await closed.close();
      expect(await running).toBe('aborted');
      expect(await failure(request({}), closed)).toBe('aborted');
      await clients.at(-1)?.close();
      expect(await connecting).toBe('aborted');
    });
  });

  it('does not start with a mistyped CIDR', () => {
    expect(() => newClient({ allowCidrs: ['10.0.0.0'] })).toThrow('"10.0.0.0"');
  });
});
