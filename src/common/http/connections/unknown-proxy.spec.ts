import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { Logger } from '../../observability/logger.js';
import { warnOfUnknownProxy } from './unknown-proxy.js';

const MINUTE_MS = 60_000;

describe('the warning of a proxy that is not trusted', () => {
  let lines: string[];
  let nowMs: number;
  let middleware: ReturnType<typeof warnOfUnknownProxy>;

  beforeEach(() => {
    [lines, nowMs] = [[], 1];
    watch(0);
  });

  function watch(trustProxy: number): void {
    const logger = Logger.create('warn', { write: (line) => void lines.push(line) });
    middleware = warnOfUnknownProxy({ trustProxy }, logger, () => nowMs);
  }

  /** Requests of so many clients through a peer. */
  function send(peer: string, clients: number, forwarded = (client: number) => `203.0.113.${client}`): void {
    for (let client = 1; client <= clients; client++) {
      const request = { headers: { 'x-forwarded-for': forwarded(client) }, socket: { remoteAddress: peer } };
      let passed = false;
      middleware(request as unknown as Request, {} as Response, () => (passed = true));
      expect(passed).toBe(true);
    }
  }

  it.each(['127.0.0.1', '::ffff:10.0.0.7', '172.17.0.1', 'fd00::1'])(
    'comes after twenty clients of the inner address %s, and says what to do',
    (peer) => {
      send(peer, 19);
      expect(lines).toEqual([]);
      send(peer, 20);
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0]!)).toMatchObject({ peer, msg: expect.stringContaining('set TRUST_PROXY') });
    },
  );

  it('comes once in an hour', () => {
    for (let minute = 0; minute < 59; minute++) {
      send('10.0.0.7', 20);
      nowMs += MINUTE_MS;
    }
    expect(lines).toHaveLength(1);
    nowMs += MINUTE_MS;
    send('10.0.0.7', 20);
    expect(lines).toHaveLength(2);
  });

  it('does not come for a public address, which may name any client itself', () => {
    send('198.51.100.9', 100);
    expect(lines).toEqual([]);
  });

  it('does not come for one client that writes addresses of its own before that of the proxy', () => {
    send('10.0.0.7', 100, (client) => `203.0.113.${client}, 198.51.100.9`);
    expect(lines).toEqual([]);
  });

  it('does not come for few clients in each window', () => {
    for (let round = 0; round < 10; round++) {
      send('10.0.0.7', 5, (client) => `203.0.${round}.${client}`);
      nowMs += 5 * MINUTE_MS;
    }
    expect(lines).toEqual([]);
  });

  it('does not come for a trusted proxy, and not for entries that are no addresses', () => {
    send('10.0.0.7', 100, (client) => `client-${client}`);
    watch(1);
    send('10.0.0.7', 100);
    expect(lines).toEqual([]);
  });
});
