import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { OverloadDetector } from '../../src/modules/voice-workers/overload-detector.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';
import type { OpenedWebCall } from '../support/web-caller.js';

const addressOf = (n: number) => `127.0.0.${n}`;

/** Reopens a connection for as long as the attack lasts. */
class Attack {
  private readonly open = new Set<WebSocket | Socket>();
  private isOver = false;

  /** Strangers who connect to calls and show no token. */
  static async ofSockets(
    urlOf: (n: number) => string,
    addresses: readonly string[],
    each: number,
  ): Promise<Attack> {
    const attack = new Attack();
    const sockets = addresses.flatMap((localAddress) =>
      Array.from({ length: each }, (_, n) => attack.keepSocket(urlOf, localAddress, n)),
    );
    await Promise.all(sockets);
    return attack;
  }

  static async ofConnections(port: number, localAddress: string, count: number): Promise<Attack> {
    const attack = new Attack();
    for (let n = 0; n < count; n += 100)
      await Promise.all(Array.from({ length: 100 }, () => attack.keepConnection(port, localAddress)));
    return attack;
  }

  get size(): number {
    return this.open.size;
  }

  stop(): void {
    this.isOver = true;
    for (const one of this.open) {
      if (one instanceof WebSocket) one.terminate();
      else one.destroy();
    }
  }

  private async keepSocket(urlOf: (n: number) => string, localAddress: string, n: number): Promise<void> {
    if (this.isOver) return;
    const socket = new WebSocket(urlOf(n), { localAddress });
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.open.delete(socket);
      setTimeout(() => void this.keepSocket(urlOf, localAddress, n), 200);
    });
    await new Promise<void>((resolve) => {
      socket.once('open', resolve);
      socket.once('close', () => resolve());
    });
  }

  private async keepConnection(port: number, localAddress: string): Promise<void> {
    if (this.isOver) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.open.delete(socket);
      setTimeout(() => void this.keepConnection(port, localAddress), 500);
    });
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
      socket.once('close', () => resolve());
    });
  }
}

// How busy the machine is must not decide whether there is a line.
beforeAll(() => void jest.spyOn(OverloadDetector.prototype, 'observe').mockReturnValue(false));
afterAll(() => void jest.restoreAllMocks());

describe.each([
  ['in this process', 'api,worker,voice', null],
  ['in another process', 'api,worker', 'voice'],
])('callers with a token, while ten addresses hold 200 sockets without one %s', (_where, roles, others) => {
  let app: TestApp;
  let voice: TestApp | null = null;
  let owner: TestAccount;
  let assistant: { id: number };

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: roles, RATE_LIMITS: 'on' });
    if (others) voice = await TestApp.start({ PROSA_ROLES: others }, async () => app.database.url);
  });
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 100 });
    assistant = await createAssistant(app, owner);
  });
  afterAll(async () => {
    await voice?.stop();
    await app.stop();
  });

  async function open(): Promise<OpenedWebCall> {
    const { body } = await app
      .as(owner)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(201);
    return body.data as OpenedWebCall;
  }

  async function isConnected({ url, token }: OpenedWebCall, localAddress: string): Promise<boolean> {
    const socket = new WebSocket(url, { localAddress });
    socket.on('error', () => undefined);
    try {
      return await new Promise<boolean>((resolve) => {
        socket.once('open', () => socket.send(JSON.stringify({ type: 'start', token })));
        socket.once('message', () => resolve(true));
        socket.once('close', () => resolve(false));
      });
    } finally {
      socket.terminate();
    }
  }

  it.each([
    [
      'calls that are not there',
      (url: string, n: number) => url.replace(/\d+\/media$/, `${900_000 + n}/media`),
    ],
    ['a call that waits for its browser', (url: string) => url],
  ])(
    'connect to theirs: the strangers name %s',
    async (_what, urlOf) => {
      const { url } = await open();
      const addresses = Array.from({ length: 10 }, (_, n) => addressOf(10 + n));
      const attack = await Attack.ofSockets((n) => urlOf(url, n), addresses, 20);
      try {
        let connected = 0;
        for (let n = 0; n < 8; n++) if (await isConnected(await open(), addressOf(100 + n))) connected++;
        expect(connected).toBe(8);
      } finally {
        attack.stop();
      }
    },
    60_000,
  );
});

describe('requests of others, while one address holds 2,100 connections', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  function statusFrom(localAddress: string): Promise<number> {
    return new Promise((resolve) => {
      const call = request(
        `${app.origin}/health/live`,
        { agent: false, localAddress, timeout: 5_000 },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      call.on('timeout', () => call.destroy());
      call.on('error', () => resolve(0));
      call.end();
    });
  }

  it('are answered: 24 of 25 at least', async () => {
    const attack = await Attack.ofConnections(Number(new URL(app.origin).port), addressOf(2), 2_100);
    try {
      await until(() => attack.size >= 500);
      const statuses = [];
      for (let n = 0; n < 25; n++) statuses.push(await statusFrom(addressOf(10 + n)));
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(24);
    } finally {
      attack.stop();
    }
  }, 60_000);
});
