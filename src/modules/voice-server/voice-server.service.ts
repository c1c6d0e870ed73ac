import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { ServerConfig, VoiceConfig } from '../../config/config.js';
import { SessionFactories } from '../../runtime/call/session-factories.js';
import { CallVoiceService } from './call-voice.service.js';
import { VoiceRequestsService } from './voice-requests.service.js';
import { VoiceServerMetricsService } from './voice-server-metrics.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';

const HEADERS_TIMEOUT_MS = 10_000;
/** In addition to the calls: 400 browsers that have not shown their tokens, and requests to place calls. */
const OTHER_CONNECTIONS = 800;
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
    private readonly requests: VoiceRequestsService,
    private readonly metrics: VoiceServerMetricsService,
    private readonly factories: SessionFactories,
    private readonly voice: CallVoiceService,
    private readonly process: ServerConfig,
    private readonly config: VoiceConfig,
    private readonly logger: Logger,
  ) {}

  /** When the announcement fails, other processes report for another second that there is no voice. */
  async onModuleInit(): Promise<void> {
    await this.processes.announce().catch((err: unknown) => this.logger.warn('start not announced', { err }));
  }

  /** @throws Error of the system when VOICE_LISTEN cannot be had */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.factories.canSpeak) {
      this.logger.warn('no calls with sound: there is no provider of speech, nor the package of the sandbox');
      await this.processes.withdraw();
      return;
    }
    // Only calls wait for this process. It loads the engine first, because loading would delay calls that are placed.
    if (!this.process.roles.has('api')) await this.voice.loaded();
    const { host, port } = this.config.listen;
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) =>
      this.requests.answer(request, response),
    );
    server.maxConnections = this.config.maxCalls + OTHER_CONNECTIONS;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.requests.upgrade(request, socket, head),
    );
    server.listen(port, host);
    await once(server, 'listening');
    server.on('error', (err) => this.logger.warn('voice server error', { err }));
    this.server = server;
    // First, so that the others hear of these lines with the first word of this process.
    this.requests.beginTwilioLines();
    await this.processes.join(this.config.address ?? addressOf(host, server.address() as AddressInfo));
    this.metrics.register();
  }

  /** Not before the calls of this process are over or released. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.processes.leave();
    this.server?.close();
    this.server?.closeAllConnections();
  }
}

/** As others reach it. */
function addressOf(host: string, { port }: AddressInfo): string {
  if (EVERY_ADDRESS.has(host)) return `${hostname()}:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
