import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { InternalToken } from '../../common/crypto/internal-token.js';
import { Logger } from '../../common/observability/logger.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { ServerConfig, VoiceConfig } from '../../config/config.js';
import { FRAME_MS } from '../../providers/telephony/call-audio.js';
import { lineClock } from '../../providers/telephony/line-clock.js';
import { CallTalks } from '../../runtime/call/call-talks.js';
import { CallPlacementService } from '../outbound-calls/call-placement.service.js';
import { CallSessionsService } from '../call-sessions/call-sessions.service.js';
import { CallVoiceService } from './call-voice.service.js';
import { TwilioLinesService } from './twilio-lines.service.js';
import { MediaUpgrades, refuseUpgrade } from '../voice-workers/media-upgrades.js';
import { DIAL_WITHIN_HEADER } from '../voice-workers/voice-client.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';

const SEND = /^\/calls\/(\d{1,10})\/send\?may_dial=(true|false)$/;
const HEADERS_TIMEOUT_MS = 10_000;
/** Beside the calls: browsers that have not shown their tokens, and requests to place calls. */
const OTHER_CONNECTIONS = 400;
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/**
 * Where other processes of the installation hand calls to this one: those it is to place, and the WebSockets of browsers.
 * Only those are heard that have the installation's key.
 */
@Injectable()
export class VoiceServerService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private server: Server | null = null;

  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly placement: CallPlacementService,
    private readonly sessions: CallSessionsService,
    private readonly upgrades: MediaUpgrades,
    private readonly twilio: TwilioLinesService,
    private readonly talks: CallTalks,
    private readonly voice: CallVoiceService,
    private readonly token: InternalToken,
    private readonly process: ServerConfig,
    private readonly config: VoiceConfig,
    private readonly logger: Logger,
    private readonly metrics: MetricsService,
  ) {}

  /** Other processes that cannot be told say for a second more that there is no voice. */
  async onModuleInit(): Promise<void> {
    await this.processes.announce().catch((err: unknown) => this.logger.warn('start not announced', { err }));
  }

  /** @throws Error of the system when VOICE_LISTEN cannot be had */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.talks.canSpeak) {
      this.logger.warn('no calls with sound: there is no provider of speech, nor the package of the sandbox');
      await this.processes.withdraw();
      return;
    }
    // Nobody waits for this process but calls: loading the engine would keep those that wait from being placed.
    if (!this.process.roles.has('api')) await this.voice.loaded();
    const { host, port } = this.config.listen;
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) =>
      this.answer(request, response),
    );
    server.maxConnections = this.config.maxCalls + OTHER_CONNECTIONS;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    );
    server.listen(port, host);
    await once(server, 'listening');
    server.on('error', (err) => this.logger.warn('voice server error', { err }));
    this.server = server;
    // First, so that the others hear of these lines with the first word of this process.
    this.twilio.serve(this.processes.ownId);
    await this.processes.join(this.config.address ?? addressOf(host, server.address() as AddressInfo));
    this.measure();
  }

  /** Not before the calls of this process are over or let go of. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.processes.leave();
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!this.isKnown(request)) return refuseUpgrade(socket, 401);
    if (this.twilio.isFor(request)) return this.twilio.open(request, socket, head);
    if (!this.upgrades.take) return refuseUpgrade(socket, 404);
    this.upgrades.take(request, socket, head);
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    if (!this.isKnown(request)) return void response.writeHead(401).end();
    if (request.method === 'POST' && this.twilio.isFor(request)) return this.answerTwilio(request, response);
    request.resume();
    // Whoever is asked says who it is: another process may listen at the address of one that is gone.
    if (request.url === '/id') return void response.writeHead(200).end(this.processes.own?.id ?? '');
    const [, id, mayDial] = SEND.exec(request.url ?? '') ?? [];
    if (request.method !== 'POST' || id === undefined) return void response.writeHead(404).end();
    // A process of the last release says only whether.
    const withinMs = mayDial === 'true' ? Number(request.headers[DIAL_WITHIN_HEADER] ?? Infinity) : 0;
    this.placement.send(Number(id), performance.now() + withinMs).then(
      (result) => response.writeHead(200).end(JSON.stringify({ result })),
      (err: unknown) => {
        this.logger.error('call not placed', { callId: Number(id), err });
        response.writeHead(500).end();
      },
    );
  }

  private answerTwilio(request: IncomingMessage, response: ServerResponse): void {
    this.twilio.answer(request, response).catch((err: unknown) => {
      this.logger.error('callback of Twilio not taken', { err });
      if (!response.headersSent) response.writeHead(500).end();
    });
  }

  private isKnown({ headers }: IncomingMessage): boolean {
    const [, shown] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    return shown !== undefined && this.token.isValid(shown);
  }

  private measure(): void {
    const gauge = (name: string, help: string, valueOf: () => number | undefined) =>
      this.metrics.gauge({
        name,
        help,
        labelNames: [],
        read: () => Promise.resolve([{ labels: {}, value: valueOf() ?? 0 }]),
      });
    gauge('prosa_voice_calls', 'Calls whose lines live in this process', () => this.sessions.ownLines);
    gauge('prosa_voice_capacity', 'Calls with sound this process takes', () => this.processes.own?.capacity);
    gauge('prosa_voice_load', 'How busy the event loop was, 0 to 1', () => this.processes.own?.load);
    gauge(
      'prosa_voice_sound_lost_seconds',
      'Sound that each line gave up since the start, as something held the process up for longer than 60 ms',
      () => (lineClock.skippedTicks * FRAME_MS) / 1_000,
    );
    gauge(
      'prosa_voice_lateness_seconds',
      'How late timers were in the last second, on average; so late is the sound that is sent',
      () => this.processes.latenessMs / 1_000,
    );
    gauge(
      'prosa_voice_overloaded',
      'Whether this process takes no more calls until it keeps up with those it has',
      () => Number(this.processes.own?.overloaded ?? false),
    );
    gauge('prosa_voice_draining', 'Whether this process takes no more calls', () =>
      Number(this.processes.own?.draining ?? true),
    );
  }
}

/** As others reach it. */
function addressOf(host: string, { port }: AddressInfo): string {
  if (EVERY_ADDRESS.has(host)) return `${hostname()}:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
