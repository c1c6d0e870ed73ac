import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '#test/support/free-port.js';
import { answerJson, LocalServer } from '#test/support/http-server.js';
import { configFrom } from '../../config/config-from.js';
import { parseEnvironment } from '../../config/environment.js';
import { DiskCheck } from './disk.check.js';
import { PortsCheck } from './ports.check.js';
import { ProxyCheck } from './proxy.check.js';

const configOf = (environment: Record<string, string>) => configFrom(parseEnvironment(environment));

describe('the check of the proxy', () => {
  it.each([
    [{}, 'ok'],
    [{ PUBLIC_URL: 'http://prosa.example' }, 'ok'],
    [{ PUBLIC_URL: 'https://localhost:8443' }, 'ok'],
    [{ PUBLIC_URL: 'https://prosa.example', TRUST_PROXY: '1' }, 'ok'],
    [{ PUBLIC_URL: 'https://prosa.example' }, 'warning'],
    [{ TRUST_PROXY: '1' }, 'warning'],
  ])('says to %j: %s', async (environment, verdict) => {
    const [finding] = await new ProxyCheck(configOf(environment).server).run();
    expect(finding?.verdict).toBe(verdict);
    if (verdict === 'warning') expect(finding?.text).toMatch(/set TRUST_PROXY|set PUBLIC_URL/i);
  });
});

describe('the check of ports', () => {
  let server: LocalServer | null = null;
  afterEach(() => server?.stop());

  const portsOf = async (environment: Record<string, string>) => {
    const config = configOf({ ...environment, HOST: '127.0.0.1' });
    const findings = await new PortsCheck(config.server, config.telephony.sip).run();
    return findings.map(({ verdict, text }) => `${verdict}: ${text}`);
  };
  const portOf = ({ url }: LocalServer) => new URL(url).port;

  it('finds free ports', async () => {
    const [port, operations] = [await freePort(), await freePort()];
    expect(await portsOf({ PORT: String(port), OPERATIONS_PORT: String(operations) })).toEqual([
      `ok: PORT (127.0.0.1:${port}, TCP) is free.`,
      `ok: OPERATIONS_PORT (127.0.0.1:${operations}, TCP) is free.`,
    ]);
  });

  it('finds Prosa itself on them', async () => {
    server = await LocalServer.start((_, response) => answerJson(response, { status: 'ok' }));
    expect(await portsOf({ PORT: portOf(server) })).toEqual([
      expect.stringMatching(/^ok: .* is in use while Prosa runs/),
    ]);
  });

  it('finds another program on them, and says what to do', async () => {
    server = await LocalServer.start((_, response) => answerJson(response, { other: true }));
    expect(await portsOf({ PORT: portOf(server) })).toEqual([
      expect.stringMatching(
        /^failure: PORT .* is in use: stop what listens there, or choose another port\.$/,
      ),
    ]);
  });

  it('finds the ports of SIP and of sound taken', async () => {
    const sockets = [createSocket('udp4'), createSocket('udp4')];
    const [sip, rtp] = sockets.map((socket) => socket.bind(0, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'listening')));
    const from = rtp!.address().port;
    const sipPort = sip!.address().port;
    const found = await portsOf({
      PORT: '0',
      SIP_LISTEN: `127.0.0.1:${sipPort}`,
      RTP_PORTS: `${from}-${from + 1}`,
    });
    for (const socket of sockets) socket.close();
    expect(found[0]).toMatch(/^failure: SIP_LISTEN .*UDP\) is in use/);
    expect(found.at(-1)).toMatch(/^(ok|warning): RTP_PORTS .*: [01] of 2 ports are free/);
  });

  it('finds an address that is not of this machine', async () => {
    const config = configOf({ HOST: '203.0.113.7', PORT: '4000' });
    expect(await new PortsCheck(config.server, undefined).run()).toEqual([
      { verdict: 'failure', text: expect.stringContaining('EADDRNOTAVAIL') },
    ]);
  });
});

describe('the check of the disk', () => {
  it('measures the room of a folder that the first start will create', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-disk-'));
    const [finding] = await new DiskCheck(join(folder, 'not', 'there')).run();
    await rm(folder, { recursive: true });
    expect(finding?.text).toMatch(new RegExp(`\\(${folder}\\) has [\\d.]+ GB free`));
  });

  // Root may write everywhere.
  (process.getuid?.() === 0 ? it.skip : it)('refuses a folder that cannot be written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-disk-'));
    await chmod(folder, 0o500);
    const [finding] = await new DiskCheck(folder).run();
    await rm(folder, { recursive: true });
    expect(finding).toMatchObject({ verdict: 'failure', text: expect.stringContaining('EACCES') });
  });
});
