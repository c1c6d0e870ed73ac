import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DrainRegistry } from '../../../common/http/connections/drain-registry.js';
import { refuseUpgrade } from '../../voice-workers/media-upgrades.js';
import { VoiceClientService } from '../../voice-workers/voice-client.service.js';
import type { VoiceProcessAddress } from '../../voice-workers/voice-processes.service.js';

const POLL_MS = 50;
/** For what the voice process sent before it closed the connection. */
const LAST_WORDS_MS = 1_000;
/** What a WebSocket needs to be opened; nothing else of the browser's request is handed on. */
const WEBSOCKET_HEADERS = [
  'connection',
  'upgrade',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
] as const;

/** The upgrade of a WebSocket. */
export interface TunnelRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Connects WebSockets with voice processes. Bytes go through as they are, in both directions only as fast as the slower side
 * takes them.
 */
@Injectable()
export class MediaTunnelsService implements OnModuleInit, OnModuleDestroy {
  private readonly tunnels = new Set<Duplex>();
  /** Those that a drain waits for. */
  private readonly awaited = new Set<Duplex>();

  constructor(
    private readonly client: VoiceClientService,
    private readonly drains: DrainRegistry,
  ) {}

  onModuleInit(): void {
    this.drains.add({
      name: 'media-tunnels',
      inProgress: () => this.awaited.size,
      drain: (timeoutMs) => this.drain(timeoutMs),
    });
  }

  /** A browser whose call is still open comes back within seconds, through another process. */
  onModuleDestroy(): void {
    for (const socket of this.tunnels) socket.destroy();
  }

  /** Waits until the calls are over whose sound goes through here, or the time is. Returns how many were left. */
  async drain(timeoutMs: number): Promise<number> {
    const endsAt = performance.now() + timeoutMs;
    while (this.awaited.size > 0 && performance.now() < endsAt) await sleep(POLL_MS);
    return this.awaited.size;
  }

  /**
   * Connects the socket of an upgrade with the process, or refuses the upgrade as the process does.
   *
   * @param origin headers for the process
   * @param waitsAtDrain whether a drain of this process waits until it is over
   */
  async connect(
    process: VoiceProcessAddress,
    { request, socket, head }: TunnelRequest,
    origin: Readonly<Record<string, string>> = {},
    waitsAtDrain = true,
  ): Promise<void> {
    const headers = { ...websocketHeaders(request), ...origin };
    const answer = await this.client.upgrade(process, request.url ?? '', headers);
    if (!('socket' in answer)) return refuseUpgrade(socket, answer.status === 503 ? 503 : 502);
    const { socket: far } = answer;
    far.on('error', () => far.destroy());
    if (socket.destroyed) return void far.destroy();
    socket.write(statusLines(answer.response));
    if (answer.head.length > 0) socket.write(answer.head);
    if (head.length > 0) far.write(head);
    if (waitsAtDrain) this.awaited.add(socket);
    this.join(socket, far);
  }

  private join(near: Duplex, far: Duplex): void {
    this.tunnels.add(near);
    near.pipe(far);
    far.pipe(near);
    far.once('close', () => {
      near.end();
      // A browser that reads nothing would keep the rest for ever.
      setTimeout(() => near.destroy(), LAST_WORDS_MS).unref();
    });
    near.once('close', () => {
      this.tunnels.delete(near);
      this.awaited.delete(near);
      far.destroy();
    });
  }
}

function websocketHeaders({ headers }: IncomingMessage): Record<string, string> {
  const given = WEBSOCKET_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(given.filter((pair): pair is [(typeof pair)[0], string] => Boolean(pair[1])));
}

/** The answer of the voice process, as it came. */
function statusLines({ rawHeaders }: IncomingMessage): string {
  const lines = ['HTTP/1.1 101 Switching Protocols'];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
