import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TooManyRequestsError } from '../../common/errors/errors.js';
import { UnprovenRequestsService } from '../../common/limits/unproven-requests.service.js';
import { Logger } from '../../common/observability/logger.js';
import { ServerConfig } from '../../config/config.js';
import { VoiceClientService } from '../voice-workers/voice-client.service.js';
import { VoiceDispatchService } from '../voice-workers/voice-dispatch.service.js';
import { type VoiceProcessAddress, VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { type TwilioPath, twilioPathOf } from '../voice-workers/twilio/twilio-paths.js';
import { TwilioProofsService } from '../voice-workers/twilio/twilio-proofs.service.js';
import { callOfMediaPath, MediaUpgrades, refuseUpgrade } from '../voice-workers/media-upgrades.js';
import { WebCallsRepository } from './web-calls.repository.js';

/** Upgrades whose voice process has not answered yet. */
const MAX_OPENING = 200;
/** Connections of one address, which may be that of an office, that may not have shown their token yet. */
const MAX_UNPROVEN = 20;
/** The voice process has closed by then what has shown none. */
const UNPROVEN_MS = 5_000;
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

/**
 * Takes the WebSockets of web calls at the API's port, and connects each to the voice process that has its call. Bytes
 * go through as they are, in both directions only as fast as the slower side takes them.
 */
@Injectable()
export class WebCallTunnelService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tunnels = new Set<Duplex>();
  private opening = 0;
  private isClosing = false;

  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly dispatch: VoiceDispatchService,
    private readonly upgrades: MediaUpgrades,
    private readonly proofs: TwilioProofsService,
    private readonly unproven: UnprovenRequestsService,
    private readonly webCalls: WebCallsRepository,
    private readonly http: HttpAdapterHost,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // Commands build the application without a server.
    const adapter = this.http.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    const server = adapter?.getHttpServer() as Server | undefined;
    if (!this.server.roles.has('api')) return;
    server?.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    );
  }

  /** Waits until the calls are over whose sound goes through here, or the time is. */
  async drain(timeoutMs: number): Promise<void> {
    const endsAt = performance.now() + timeoutMs;
    while (this.tunnels.size > 0 && performance.now() < endsAt) await sleep(POLL_MS);
  }

  /** A browser whose call goes on comes back within seconds, through another process. */
  onModuleDestroy(): void {
    this.isClosing = true;
    for (const socket of this.tunnels) socket.destroy();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Whatever becomes of a connection that is refused is of no interest.
    socket.on('error', () => socket.destroy());
    const callId = callOfMediaPath(request.url);
    const stream = twilioPathOf(request.url);
    if (callId === null && stream?.kind !== 'media') {
      refuseUpgrade(socket, 404);
    } else if (this.isClosing || this.opening >= MAX_OPENING) {
      refuseUpgrade(socket, 503);
    } else {
      this.opening++;
      const opening =
        stream?.kind === 'media'
          ? this.openStream(stream, request, socket, head)
          : this.openCall(callId ?? 0, request, socket, head);
      opening
        .catch((err: unknown) => {
          if (err instanceof TooManyRequestsError) return refuseUpgrade(socket, 429, err.retryAfterSeconds);
          this.logger.warn('web call not connected to its voice process', { callId, err });
          refuseUpgrade(socket, 502);
        })
        .finally(() => this.opening--);
    }
  }

  /** Whose call it is, the stream's own first message says; nobody else's process hears of it. */
  private async openStream(
    stream: TwilioPath & { readonly processId: string },
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const checked = this.proofs.tryEnter(request);
    if (!checked) return refuseUpgrade(socket, 503);
    try {
      if (!(await this.proofs.isStreamSigned(stream, request))) return refuseUpgrade(socket, 401);
      const process = await this.processes.find(stream.processId);
      if (!process) return refuseUpgrade(socket, 404);
      // Who knows the id of a process has it from Twilio.
      checked();
      await this.connect(process, request, socket, head);
    } finally {
      checked();
    }
  }

  /** Whose call it is, the browser's first message says; until then it is a stranger, and counted for its address. */
  private async openCall(
    callId: number,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const leave = this.unproven.tryEnter(request, 'web calls', MAX_UNPROVEN);
    if (!leave) return refuseUpgrade(socket, 429);
    socket.once('close', leave);
    setTimeout(leave, UNPROVEN_MS).unref();
    await this.unproven.count(request);
    const isTaken = await this.dispatch.askFirst(
      () => this.processOf(callId),
      async (process) => {
        const isHere = process.id === this.processes.own?.id && this.upgrades.take;
        if (isHere) this.upgrades.take?.(request, socket, head);
        else await this.connect(process, request, socket, head);
        return true;
      },
    );
    if (!isTaken) refuseUpgrade(socket, 503);
  }

  /**
   * The process that has the call. A web call that waits is given to one; of any other call any process says that it is over,
   * so that a stranger does not learn whether there is one, and moves no call of another carrier.
   */
  private async processOf(callId: number): Promise<VoiceProcessAddress | null> {
    const found = await this.processes.findOf(callId);
    if (found) return found;
    const given = (await this.webCalls.isWaiting(callId)) ? await this.processes.give(callId) : null;
    return given ?? this.processes.findAny();
  }

  private async connect(
    process: VoiceProcessAddress,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const answer = await this.client.upgrade(process, request.url ?? '', websocketHeaders(request));
    if (!('socket' in answer)) return refuseUpgrade(socket, answer.status === 503 ? 503 : 502);
    const { socket: far } = answer;
    far.on('error', () => far.destroy());
    if (socket.destroyed) return void far.destroy();
    socket.write(statusLines(answer.response));
    if (answer.head.length > 0) socket.write(answer.head);
    if (head.length > 0) far.write(head);
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
