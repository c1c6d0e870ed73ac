import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { buildConnector } from 'undici';
import { EgressError } from './egress-error.js';
import { guardedConnector, resolveChecked } from './guarded-connector.js';
import type { LookupAll } from './host-lookup.js';

const LOOPBACK = ['127.0.0.0/8'];

const answering =
  (...addresses: string[]): LookupAll =>
  async () =>
    addresses.map((address) => ({ address }));

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => {
    if (!(error instanceof EgressError)) throw error;
    return { code: error.code, message: error.message, cause: error.cause };
  });
}

const FORBIDDEN = {
  code: 'forbidden-address',
  message: 'This address is not allowed: it is local, private or reserved.',
};

describe('resolveChecked', () => {
  it('hands over every address of a name with its family, in the order of the answer', async () => {
    await expect(resolveChecked('shop.example', answering('2606:4700::1', '1.1.1.1'), [])).resolves.toEqual([
      { address: '2606:4700::1', family: 6 },
      { address: '1.1.1.1', family: 4 },
    ]);
  });

  it('takes a literal address for its own without asking a name server', async () => {
    const never: LookupAll = () => Promise.reject(new Error('asked'));
    await expect(resolveChecked('1.1.1.1', never, [])).resolves.toEqual([{ address: '1.1.1.1', family: 4 }]);
    await expect(refusal(resolveChecked('10.0.0.1', never, []))).resolves.toMatchObject(FORBIDDEN);
  });

  it('condemns a name for one bad address', async () => {
    const mixed = resolveChecked('shop.example', answering('1.1.1.1', '10.0.0.1'), []);
    await expect(refusal(mixed)).resolves.toMatchObject(FORBIDDEN);
  });

  it('says that a name could not be resolved, and why', async () => {
    const cause = new Error('getaddrinfo ENOTFOUND');
    const failing = resolveChecked('shop.example', () => Promise.reject(cause), []);
    await expect(refusal(failing)).resolves.toEqual({
      code: 'dns',
      message: 'The host name could not be resolved.',
      cause,
    });
  });

  it('says that a name has no address', async () => {
    await expect(refusal(resolveChecked('shop.example', answering(), []))).resolves.toMatchObject({
      code: 'dns',
      message: 'The host name has no address.',
    });
  });
});

describe('guardedConnector', () => {
  let server: Server;
  const ends = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((end) => ends.add(end)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => {
    for (const end of ends) end.destroy();
    server.close();
  });

  const dial = async (connect: buildConnector.connector, hostname: string): Promise<string | undefined> => {
    const { port } = server.address() as AddressInfo;
    const target = { hostname, protocol: 'http:', port: `${port}` };
    const socket = await promisify<Socket>((done) =>
      connect(target, (error, opened) => done(error, opened as Socket)),
    )();
    const { remoteAddress } = socket;
    socket.destroy();
    return remoteAddress;
  };

  it('dials what the look-up names, the next address when the first one is dead', async () => {
    const connect = guardedConnector({ allowCidrs: LOOPBACK, lookup: answering('127.0.0.9', '127.0.0.1') });
    await expect(dial(connect, 'shop.example')).resolves.toBe('127.0.0.1');
  });

  it('refuses a literal address that is forbidden, before anything is dialled', async () => {
    const connect = guardedConnector({ allowCidrs: [], lookup: answering('127.0.0.1') });
    await expect(refusal(dial(connect, '127.0.0.1'))).resolves.toMatchObject(FORBIDDEN);
  });

  it('refuses a name that leads to a forbidden address', async () => {
    const connect = guardedConnector({ allowCidrs: [], lookup: answering('127.0.0.1') });
    await expect(refusal(dial(connect, 'shop.example'))).resolves.toMatchObject(FORBIDDEN);
  });

  it('asks once for a name that several connections want at a time, and anew afterwards', async () => {
    const asked: string[] = [];
    const lookup: LookupAll = async (hostname) => {
      asked.push(hostname);
      return [{ address: '127.0.0.1' }];
    };
    const connect = guardedConnector({ allowCidrs: LOOPBACK, lookup });
    await Promise.all([
      dial(connect, 'shop.example'),
      dial(connect, 'shop.example'),
      dial(connect, 'other.example'),
    ]);
    expect(asked.toSorted()).toEqual(['other.example', 'shop.example']);
    await dial(connect, 'shop.example');
    expect(asked).toHaveLength(3);
  });
});
