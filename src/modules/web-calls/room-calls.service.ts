import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { InternalToken } from '../../common/crypto/internal-token.js';
import { Logger } from '../../common/observability/logger.js';
import { type LiveKitConfig, ServerConfig, TelephonyConfig } from '../../config/config.js';
import { CallRoom } from '../../providers/telephony/web/livekit/call-room.js';
import { LiveKitApi } from '../../providers/telephony/livekit/livekit-api.js';
import { LiveKitRooms } from '../../providers/telephony/livekit/livekit-rooms.js';
import { LiveKitWorker, type RoomJob } from '../../providers/telephony/web/livekit/livekit-worker.js';
import { callOfMetadata, RoomNames } from '../../providers/telephony/web/livekit/room-names.js';
import { CLOSE } from '../../providers/telephony/web/web-call-protocol.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { WebCallAdmissionService } from './web-call-admission.service.js';
import { WebCallsRepository } from './web-calls.repository.js';

/** How often rooms are looked for whose call is over: those of processes that died. */
const SWEEP_MS = 15_000;
/** A customer waits in the room for this long. The server waits ten seconds for an agent to accept a job. */
const ACCEPT_MS = 6_000;
const MAX_JOINS = 3;
const RETRY_MS = 500;

/** Web calls through rooms of a LiveKit server, which asks this process to join when a customer has opened one. */
@Injectable()
export class RoomCallsService implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly names: RoomNames;
  private readonly server: LiveKitConfig | undefined;
  private rooms: LiveKitRooms | null = null;
  private worker: LiveKitWorker | null = null;
  private sweeping: NodeJS.Timeout | undefined;
  private isClosing = false;

  constructor(
    private readonly admission: WebCallAdmissionService,
    private readonly processes: VoiceProcessesService,
    private readonly webCalls: WebCallsRepository,
    private readonly logger: Logger,
    { livekit }: TelephonyConfig,
    private readonly process: ServerConfig,
    token: InternalToken,
  ) {
    this.names = new RoomNames(token);
    this.server = livekit;
  }

  onApplicationBootstrap(): void {
    const { server } = this;
    if (!server) return;
    this.rooms = new LiveKitRooms(new LiveKitApi(server));
    this.worker = new LiveKitWorker(server, this.names.agentName, {
      accepts: (job) => this.accepts(job),
      onJob: (job, token) => void this.join(server, job, token),
      onConnected: () => this.logger.info('connected to the LiveKit server', { url: server.url }),
      onTrouble: (err) => this.logger.warn('trouble with the LiveKit server', { url: server.url, err }),
    });
    this.worker.start();
    // A restored copy has the key of the original, whose rooms it would take for its own.
    if (this.process.isPaused) return;
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref();
  }

  /** Calls go on as long as this process may talk; new ones are for another process. */
  onModuleDestroy(): void {
    this.isClosing = true;
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweeping);
    this.worker?.stop();
  }

  /** Of several processes, the one that has the call takes it. */
  private async accepts({ metadata }: RoomJob): Promise<boolean> {
    const call = callOfMetadata(metadata);
    if (!call || this.isClosing) return false;
    const startedMs = performance.now();
    for (;;) {
      const given = await this.processes.give(call.callId);
      if (given) return given.id === this.processes.own?.id;
      if (performance.now() - startedMs > ACCEPT_MS) return false;
      await delay(RETRY_MS);
    }
  }

  private async join(server: LiveKitConfig, job: RoomJob, token: string): Promise<void> {
    const { name } = job.room;
    for (let tries = 1; tries <= MAX_JOINS; tries++) {
      try {
        return void (await CallRoom.join(server.url, token, {
          onCustomer: (room) => void this.admit(room, job),
          onLeft: () => void this.end(job),
          onTrouble: (err) => this.logger.warn('trouble in a room', { room: name, err }),
        }));
      } catch (err) {
        this.logger.error('room not joined', { room: name, tries, err });
        await delay(RETRY_MS);
      }
    }
    // So its customer hears of it.
    await this.end(job);
  }

  private async admit(room: CallRoom, { metadata, room: { name } }: RoomJob): Promise<void> {
    const call = callOfMetadata(metadata);
    try {
      const refusal = call
        ? await this.admission.admit(call.callId, call.tokenHash, room)
        : CLOSE.unauthorized;
      if (refusal !== null) room.close(refusal);
    } catch (err) {
      this.logger.error('web call not begun', { room: name, err });
      room.close(CLOSE.unauthorized);
    }
  }

  private async end({ id, room: { name } }: RoomJob): Promise<void> {
    this.worker?.finish(id);
    await this.delete(name);
  }

  /** A process that died has left its customers alone in their rooms. */
  private async sweep(): Promise<void> {
    try {
      for (const room of (await this.rooms?.list()) ?? []) {
        const callId = this.names.callOf(room);
        if (callId !== null && !(await this.webCalls.isOpen(callId))) await this.delete(room);
      }
    } catch (err) {
      this.logger.warn('rooms not looked through', { err });
    }
  }

  /** One that stays is found by the sweep. */
  private async delete(room: string): Promise<void> {
    try {
      await this.rooms?.delete(room);
    } catch (err) {
      this.logger.warn('room not deleted', { room, err });
    }
  }
}
