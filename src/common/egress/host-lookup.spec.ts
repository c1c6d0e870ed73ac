import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { HostLookup, type HostLookupOptions, systemLookup } from './host-lookup.js';
import { HostsFile } from './hosts-file.js';

const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

/** What the name server says of each name; it is silent about all others. */
const ZONE: Record<string, readonly string[] | number> = {
  'shop.example': ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  'old.example': ['192.0.2.3'],
  'new.example': ['2001:db8::4'],
  'empty.example': [],
  'unknown.example': NAME_ERROR,
  'slow.machine.example': NAME_ERROR,
  'broken.example': SERVER_FAILURE,
};

/** An answer to a question of one name and type, after RFC 1035. */
function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = query.readUInt16BE(at + 1);
  const known = ZONE[labels.join('.').toLowerCase()];
  if (known === undefined) return null;
  const addresses = typeof known === 'number' ? [] : known.filter((each) => isIPv4(each) === (type === A));
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    const head = Buffer.from([0xc0, 12, 0, type === A ? A : AAAA, 0, 1, 0, 0, 0, 60, 0, data.length]);
    return Buffer.concat([head, data]);
  });
  const flags = Buffer.from([
    0x81,
    0x80 | (typeof known === 'number' ? known : 0),
    0,
    1,
    0,
    records.length,
    0,
    0,
    0,
    0,
  ]);
  return Buffer.concat([query.subarray(0, 2), flags, query.subarray(12, at + 5), ...records]);
}

describe('HostLookup', () => {
  let server: Socket;
  let folder: string;
  let hosts: string;
  let machineAsked: string[];

  beforeAll(async () => {
    server = createSocket('udp4', (query, { port, address }) => {
      const answer = answerTo(query);
      if (answer) server.send(answer, port, address);
    }).bind(0, '127.0.0.1');
    await once(server, 'listening');
    folder = await mkdtemp(join(tmpdir(), 'prosa-hosts-'));
    hosts = join(folder, 'hosts');
    await writeFile(
      hosts,
      '127.0.0.1 localhost\n192.0.2.9\tShop.Internal  alias.internal # name.commented\n',
    );
  });

  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const hostLookup = (options: HostLookupOptions = {}) => {
    machineAsked = [];
    return new HostLookup({
      servers: [`127.0.0.1:${server.address().port}`],
      hostsFile: new HostsFile(hosts),
      prefersIPv6: () => true,
      machineLookup: async (hostname) => {
        machineAsked.push(hostname);
        return [{ address: '192.0.2.100' }];
      },
      ...options,
    });
  };

  const addressesOf = async (name: string, options?: HostLookupOptions) =>
    (await hostLookup(options).lookup(name)).map(({ address }) => address);

  it('asks the name servers for both families, and puts first the one that is preferred', async () => {
    const ipv4 = ['192.0.2.1', '192.0.2.2'];

    expect(await addressesOf('shop.example')).toEqual(['2001:db8::1', ...ipv4]);
    expect(await addressesOf('shop.example.', { prefersIPv6: () => false })).toEqual([
      ...ipv4,
      '2001:db8::1',
    ]);
    expect(machineAsked).toEqual([]);
  });

  it.each([
    ['old.example', '192.0.2.3'],
    ['new.example', '2001:db8::4'],
  ])('finds addresses of one family alone: %s', async (name, address) => {
    expect(await addressesOf(name)).toEqual([address]);
  });

  it.each(['ollama', 'shop.internal', 'ALIAS.internal.', 'unknown.example', 'empty.example'])(
    'has the machine look for %s',
    async (name) => {
      expect(await addressesOf(name)).toEqual(['192.0.2.100']);
      expect(machineAsked).toEqual([name]);
    },
  );

  it('has the machine look where no name server can be reached', async () => {
    expect(await addressesOf('shop.example', { servers: ['127.0.0.1:1'] })).toEqual(['192.0.2.100']);
  });

  it('does not have the machine ask again what a name server cannot tell', async () => {
    await expect(addressesOf('broken.example')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await expect(addressesOf('name.commented', { timeoutMs: 50 })).rejects.toThrow('in time');
    expect(machineAsked).toEqual([]);
  });

  it('keeps a silent name server from delaying other lookups, and gives up in time', async () => {
    const { lookup } = hostLookup({ timeoutMs: 2_000 });
    let areOver = false;
    const silent = Promise.allSettled(Array.from({ length: 50 }, (_, at) => lookup(`silent-${at}.example`)));
    void silent.then(() => (areOver = true));

    expect(await lookup('old.example')).toEqual([{ address: '192.0.2.3' }]);
    expect(await lookup('ollama')).toEqual([{ address: '192.0.2.100' }]);
    expect(areOver).toBe(false);
    expect((await silent).every(({ status }) => status === 'rejected')).toBe(true);
    expect(machineAsked).toEqual(['ollama']);
  });

  it('asks the machine for one unknown name at a time, and for configured names in parallel', async () => {
    const machineLookup = async (hostname: string) => {
      machineAsked.push(hostname);
      return hostname === 'ollama' ? [{ address: '192.0.2.100' }] : new Promise<never>(() => undefined);
    };
    const { lookup } = hostLookup({ timeoutMs: 200, machineLookup });
    const unknown = Promise.allSettled([lookup('slow.machine.example'), lookup('unknown.example')]);

    expect(await lookup('ollama')).toEqual([{ address: '192.0.2.100' }]);
    expect((await unknown).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(machineAsked.toSorted()).toEqual(['ollama', expect.stringMatching(/^(slow|unknown)/)]);
  });

  it('reads the hosts file again when it has changed', async () => {
    const { lookup } = hostLookup({ timeoutMs: 50 });
    await expect(lookup('later.internal')).rejects.toThrow('in time');
    await writeFile(hosts, '192.0.2.9 later.internal');

    expect(await lookup('later.internal')).toEqual([{ address: '192.0.2.100' }]);
  });
});

describe('systemLookup', () => {
  it('finds every address of a name', async () => {
    const addresses = (await systemLookup('localhost')).map(({ address }) => address);
    expect(['127.0.0.1', '::1'].some((address) => addresses.includes(address))).toBe(true);
  });
});
