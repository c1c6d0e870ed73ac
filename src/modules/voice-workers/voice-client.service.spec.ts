import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InternalToken } from '../../common/crypto/internal-token.js';
import { DIAL_WITHIN_HEADER, VoiceClientService } from './voice-client.service.js';

describe('a voice process that is to place a call', () => {
  const client = new VoiceClientService({ own: 'token' } as InternalToken);
  const asked: { url: string; withinMs: number }[] = [];
  let server: Server;
  let address: string;

  beforeAll(async () => {
    server = createServer(({ url = '', headers }, response) => {
      asked.push({ url, withinMs: Number(headers[DIAL_WITHIN_HEADER]) });
      response.end('{"result":"sent"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it.each([
    ['for how long it may be dialled', () => performance.now() + 5_000, true, 5_000],
    ['that it may be dialled at any time', () => Infinity, true, Infinity],
    ['that it may not be dialled any more', () => performance.now() - 1, false, 0],
  ])('receives %s', async (_what, dialBeforeMs, mayDial, withinMs) => {
    expect(await client.send({ id: 'x', address }, 7, dialBeforeMs())).toBe('sent');
    const { url, withinMs: sentMs } = asked.pop() ?? { url: '', withinMs: Number.NaN };
    expect(url).toBe(`/calls/7/send?may_dial=${mayDial}`);
    expect(sentMs).toBeLessThanOrEqual(withinMs);
    expect(sentMs).toBeGreaterThanOrEqual(withinMs - 1_000);
  });
});
