import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EgressClient, type EgressResponse } from './egress-client.js';
import { EgressError } from './egress-error.js';

/**
 * The canary listens on both loopback addresses and counts connections. 127.0.0.2, on the same port, plays the
 * public internet: the only address that the client under test treats as public.
 */
const PUBLIC = '127.0.0.2';
const CANARY = 'canary';

/** Allowed to see which payloads would have reached the canary, without dialling beyond this machine. */
const THIS_MACHINE = ['127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128', '::ffff:127.0.0.0/104'];

interface Payload {
  url: string;
  /** How often it is sent; a rebinding name shows its other face at the second time. */
  times?: number;
  /** Whether it may end at the public server; anything but a refusal is a failure otherwise. */
  mayBePublic?: boolean;
}

/** What the fake name server answers; with more than one list, each look-up takes the next and the last stays. */
type Zone = Map<string, string[][]>;

const FORBIDDEN_ADDRESSES = [
  '127.0.0.1',
  '127.127.127.127',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '100.64.0.1',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a9fe:a9fe',
  '2002:7f00:1::',
  '2001:0:7f00:1::80ff:fffe',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

/** Every way `inet_aton` reads a number. */
const RADICES = [
  (value: number) => String(value),
  (value: number) => `0x${value.toString(16)}`,
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `0X000${value.toString(16).toUpperCase()}`,
];

function numericForms(parts: number[]): string[] {
  return parts
    .map((part) => RADICES.map((radix) => radix(part)))
    .reduce((left, right) => left.flatMap((head) => right.map((tail) => `${head}.${tail}`)));
}

/** `text` with its digits taken from another block of Unicode, beginning with that block's zero. */
function withDigitsFrom(zero: number, text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}

function literalHosts(): string[] {
  const numeric = [[127, 0, 0, 1], [127, 0, 1], [127, 1], [2130706433]].flatMap(numericForms);
  const unicode = [0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6]
    .map((zero) => withDigitsFrom(zero, '127.0.0.1'))
    .concat(['\u3002', '\uFF0E', '\uFF61'].map((dot) => ['127', '0', '0', '1'].join(dot)))
    .concat(['①②⑦.⓪.⓪.①', '¹²⁷.⁰.⁰.¹', '₁₂₇.₀.₀.₁']);
  const invisible = ['\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\t', '\n', '\r'].flatMap(
    (gap) => [`127.0.${gap}0.1`, `${gap}127.0.0.1`, `127.0.0.1${gap}`],
  );
  const escaped = [
    '%31%32%37.0.0.1',
    '127%2E0%2E0%2E1',
    '%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1',
    '127.0.0.1%00',
    '%30',
  ];
  const ipv6 = [
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::0001',
    '0::1',
    '::',
    '::127.0.0.1',
    '::7F00:1',
    '::ffff:127.0.0.1',
    '::FFFF:7f00:1',
    '0:0:0:0:0:ffff:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:0001',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::127.0.0.1',
    '2002:7f00:1::',
    '2002:7f00:0001::1',
    '2001:0:7f00:1::80ff:fffe',
    '::1%lo',
    '::1%25lo',
    'fe80::1%25lo',
  ].map((address) => `[${address}]`);
  const others = FORBIDDEN_ADDRESSES.map((address) => (address.includes(':') ? `[${address}]` : address));
  const short = ['0', '0x0', '00', '0.0', '127.0', '127.255.255.254', '127.0.0.3', '0x7f.1', '017700000001'];
  const dotted = ['127.0.0.1.', '127.1.', '2130706433.', '0x7f000001.', '127.0.0.1..'];
  return [...numeric, ...unicode, ...invisible, ...escaped, ...ipv6, ...others, ...short, ...dotted];
}

function literalPayloads(port: number): Payload[] {
  return literalHosts().map((host) => ({ url: `http://${host}:${port}/` }));
}

/** URLs which two parsers read differently, and schemes that are not ours to speak. */
function urlTricks(port: number): Payload[] {
  const own = `127.0.0.1:${port}`;
  return [
    `http://public.example@${own}/`,
    `http://public.example:80@${own}/`,
    `http://public.example%40${own}/`,
    `http://public.example%2f@${own}/`,
    `http://${own}@public.example:${port}/`,
    `http://@${own}/`,
    `http://:@${own}/`,
    `http://user:pass@[::1]:${port}/`,
    `http://public.example:${port}\\@${own}/`,
    `http://public.example:${port}#@${own}/`,
    `http://public.example:${port}?@${own}/`,
    `http://public.example:${port}/@${own}/`,
    `http://public.example:${port};@${own}/`,
    `http://public.example:${port} @${own}/`,
    `http://public.example\n@${own}/`,
    `http:\\\\${own}\\`,
    `http:/${own}/`,
    `http:${own}/`,
    `http:////${own}/`,
    `  http://${own}/  `,
    `\u0000http://${own}/`,
    `ht\ntp://${own}/`,
    `HTTP://${own}/`,
    `//${own}/`,
    own,
    `http://${own}/..%2f..%2f`,
    `http://${own}/%0d%0aHost:%20public.example`,
    `http://public.example%0d%0aHost:${own}/`,
    `http://public.example:${port}/%0d%0aHost:%20${own}`,
    `http://public.example:${port}/{id}/../../@${own}`,
    `http://public.example:${port}:${port}/`,
    `http://public.example:${port}@/`,
    `http://[127.0.0.1]:${port}/`,
    `http://[::ffff:127.0.0.1:${port}/`,
    `http://[public.example]:${port}/`,
    `http://127.0.0.1:0${port}/`,
    `http://:${port}/`,
    'http://',
    'http://#',
    '',
    `https://${own}/`,
    `https://[::1]:${port}/`,
    `ws://${own}/`,
    `ftp://${own}/`,
    `gopher://${own}/_GET%20/`,
    `dict://${own}/stat`,
    `ldap://${own}/`,
    `tftp://${own}/x`,
    `jar:http://${own}!/`,
    `unix:/var/run/docker.sock`,
    `http+unix://%2fvar%2frun%2fdocker.sock/info`,
    'file:///etc/passwd',
    'data:text/plain,canary',
    'javascript:alert(1)',
    `blob:http://${own}/1`,
    `view-source:http://${own}/`,
  ].map((url) => ({ url, mayBePublic: true }));
}

function namePayloads(port: number, zone: Zone): Payload[] {
  const payloads: Payload[] = [];
  const add = (name: string, answers: string[][], payload: Omit<Payload, 'url'> = {}) => {
    zone.set(name, answers);
    payloads.push({ url: `http://${name}:${port}/`, ...payload });
  };
  FORBIDDEN_ADDRESSES.forEach((address, index) => {
    add(`single-${index}.example`, [[address]]);
    add(`mixed-last-${index}.example`, [[PUBLIC, address]]);
    add(`mixed-first-${index}.example`, [[address, PUBLIC]]);
    add(`rebinding-${index}.example`, [[PUBLIC], [address]], { times: 2, mayBePublic: true });
  });
  [
    '',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1 ',
    '[::1]',
    'localhost',
    '::1%lo',
  ].forEach((answer, index) => add(`not-an-address-${index}.example`, [[answer]]));
  for (const name of [
    'localhost',
    'localhost.',
    'LOCALHOST',
    'app.localhost',
    'ip6-localhost',
    'localtest.me.',
  ]) {
    zone.set(name.toLowerCase(), [['127.0.0.1', '::1']]);
    payloads.push({ url: `http://${name}:${port}/` });
  }
  add('127.0.0.1.nip.example', [['127.0.0.1']]);
  add('0x7f000001.nip.example', [['127.0.0.1']]);
  add('metadata.google.internal', [['169.254.169.254']]);
  add('nowhere.example', [[]]);
  return payloads;
}

/** The public server redirects along itself and, at the last hop, to the target. */
function redirectPayloads(port: number, zone: Zone): Payload[] {
  zone.set('inside.example', [['127.0.0.1']]);
  const targets = [
    `http://127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://inside.example:${port}/`,
    `//127.0.0.1:${port}/`,
    `http://public.example:${port}@127.0.0.1:${port}/`,
    `\\\\127.0.0.1:${port}\\`,
    'file:///etc/passwd',
    `gopher://127.0.0.1:${port}/`,
  ];
  const payloads: Payload[] = [];
  for (const status of [301, 302, 303, 307, 308]) {
    for (const hops of [1, 2, 3]) {
      const chain = (target: string) => `/redirect/${hops}/${status}?to=${encodeURIComponent(target)}`;
      for (const target of targets) {
        payloads.push({ url: `http://public.example:${port}${chain(target)}` });
      }
      // Public while the chain begins, inside when it comes back to the same name.
      const name = `rebinding-${status}-${hops}.example`;
      zone.set(name, [[PUBLIC], ['127.0.0.1']]);
      payloads.push({ url: `http://${name}:${port}${chain(`http://${name}:${port}/`)}` });
    }
  }
  return payloads;
}

const publicServer: RequestListener = (request, response) => {
  const [, hops, status] = /^\/redirect\/(\d)\/(\d{3})\?/.exec(request.url ?? '') ?? [];
  // Closing makes the client dial again, so that each hop of a rebinding name is looked up anew.
  response.setHeader('connection', 'close');
  if (hops === undefined) {
    response.end('public');
    return;
  }
  const target = new URL(request.url ?? '', 'http://public.example').searchParams.get('to') ?? '';
  const left = Number(hops) - 1;
  const next = left === 0 ? target : `/redirect/${left}/${status}?to=${encodeURIComponent(target)}`;
  response.writeHead(Number(status), { location: next }).end();
};

function fakeLookup(zone: Zone): (hostname: string) => Promise<{ address: string }[]> {
  const asked = new Map<string, number>();
  return async (hostname) => {
    const answers = zone.get(hostname);
    if (answers === undefined) throw Object.assign(new Error(`no ${hostname}`), { code: 'ENOTFOUND' });
    const count = asked.get(hostname) ?? 0;
    asked.set(hostname, count + 1);
    return (answers[Math.min(count, answers.length - 1)] ?? []).map((address) => ({ address }));
  };
}

async function listen(listener: RequestListener, host: string, port: number): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

describe('EgressClient against forged targets', () => {
  const zone: Zone = new Map([['public.example', [[PUBLIC]]]]);
  const servers: Server[] = [];
  let payloads: Payload[] = [];
  let canaryConnections = 0;
  let client: EgressClient;

  beforeAll(async () => {
    const answerAsCanary: RequestListener = (_request, response) => void response.end(CANARY);
    const first = await listen(answerAsCanary, '127.0.0.1', 0);
    const { port } = first.address() as AddressInfo;
    const second = await listen(answerAsCanary, '::1', port);
    for (const canary of [first, second]) canary.on('connection', () => (canaryConnections += 1));
    servers.push(first, second, await listen(publicServer, PUBLIC, port));
    payloads = [
      ...literalPayloads(port),
      ...urlTricks(port),
      ...namePayloads(port, zone),
      ...redirectPayloads(port, zone),
    ];
  });

  beforeEach(() => {
    canaryConnections = 0;
    client = clientAllowing([`${PUBLIC}/32`]);
  });

  afterAll(async () => {
    await client.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  function clientAllowing(allowCidrs: string[]): EgressClient {
    return new EgressClient({ allowCidrs, lookup: fakeLookup(zone) });
  }

  /** What each sending of one payload brought: an `EgressResponse` or what was thrown. */
  async function send(through: EgressClient, { url, times = 1 }: Payload): Promise<unknown[]> {
    const outcomes: unknown[] = [];
    for (let time = 0; time < times; time += 1) {
      outcomes.push(
        await through
          .request({ method: 'GET', url, timeoutMs: 2000, maxBytes: 1000, maxRedirects: 5 })
          .catch((error: unknown) => error),
      );
    }
    return outcomes;
  }

  it('has at least 500 payloads, most of which reach the canary when its addresses are allowed', async () => {
    expect(payloads.length).toBeGreaterThanOrEqual(500);
    const unguarded = clientAllowing(THIS_MACHINE);
    let reached = 0;
    for (const payload of payloads) {
      const outcomes = await send(unguarded, payload);
      if (outcomes.some((outcome) => (outcome as Partial<EgressResponse>).bodyText === CANARY)) reached += 1;
    }
    await unguarded.close();
    expect(reached).toBeGreaterThanOrEqual(500);
  });

  it('never connects to the canary and refuses each payload with an EgressError', async () => {
    const unexpected: unknown[] = [];
    for (const payload of payloads) {
      for (const outcome of await send(client, payload)) {
        const isPublic = (outcome as Partial<EgressResponse>).bodyText === 'public';
        const isFine = outcome instanceof EgressError || (payload.mayBePublic === true && isPublic);
        if (!isFine) unexpected.push({ ...payload, outcome });
      }
    }
    expect(unexpected).toEqual([]);
    expect(canaryConnections).toBe(0);
  });

  it('names no address in what it says', async () => {
    const messages = new Set<string>();
    for (const payload of payloads) {
      for (const outcome of await send(client, payload)) {
        if (outcome instanceof EgressError) messages.add(outcome.message);
      }
    }
    expect([...messages].filter((message) => /\d|::|example|localhost/.test(message))).toEqual([]);
  });

  it('refuses the second connection of a name that was public at the first', async () => {
    const rebinding = payloads.filter(({ times }) => times === 2);
    expect(rebinding.length).toBe(FORBIDDEN_ADDRESSES.length);
    const fresh = clientAllowing([`${PUBLIC}/32`]);
    for (const payload of rebinding) {
      const [first, second] = await send(fresh, payload);
      expect((first as EgressResponse).bodyText).toBe('public');
      expect((second as EgressError).code).toBe('forbidden-address');
    }
    await fresh.close();
    expect(canaryConnections).toBe(0);
  });
});
