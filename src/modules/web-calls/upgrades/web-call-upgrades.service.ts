import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { UnprovenRequestsService } from '../../../common/limits/unproven-requests.service.js';
import { headersOfOrigin, MediaUpgrades, refuseUpgrade } from '../../voice-workers/media-upgrades.js';
import { VoiceDispatchService } from '../../voice-workers/voice-dispatch.service.js';
import {
  type VoiceProcessAddress,
  VoiceProcessesService,
} from '../../voice-workers/voice-processes.service.js';
import { MediaTunnelsService } from './media-tunnels.service.js';
import { WebCallsRepository } from '../web-calls.repository.js';

/** Connections of one address, which may be that of an office, that may not have shown their token yet. */
const MAX_UNPROVEN = 20;
/** The voice process has closed by then what has shown none. */
const UNPROVEN_MS = 5_000;

/** Connects the WebSockets of web calls with the voice process that has the call. */
@Injectable()
export class WebCallUpgradesService {
  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly dispatch: VoiceDispatchService,
    private readonly upgrades: MediaUpgrades,
    private readonly unproven: UnprovenRequestsService,
    private readonly webCalls: WebCallsRepository,
    private readonly tunnels: MediaTunnelsService,
  ) {}

  /** Whose call it is, the browser's first message says; until then it is a stranger, and counted for its address. */
  async open(callId: number, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const leave = this.unproven.tryEnter(request, 'web calls', MAX_UNPROVEN);
    if (!leave) return refuseUpgrade(socket, 429);
    socket.once('close', leave);
    setTimeout(leave, UNPROVEN_MS).unref();
    await this.unproven.count(request);
    const awaited = await this.webCalls.findAwaited(callId);
    const origin = { address: this.unproven.addressOf(request), isAwaited: awaited !== null };
    const isTaken = await this.dispatch.askFirst(
      () => this.processOf(callId, awaited?.isWaiting === true),
      async (process) => {
        const isHere = process.id === this.processes.own?.id && this.upgrades.take;
        if (isHere) this.upgrades.take?.(request, socket, head, origin);
        else await this.tunnels.connect(process, request, socket, head, headersOfOrigin(origin));
        return true;
      },
    );
    if (!isTaken) refuseUpgrade(socket, 503);
  }

  /**
   * The process that has the call. A waiting web call is given to one. Of any other call any process says that it is
   * over. A stranger thus does not learn whether there is one, and cannot move a call of another carrier.
   */
  private async processOf(callId: number, isWaiting: boolean): Promise<VoiceProcessAddress | null> {
    const found = await this.processes.findOf(callId);
    if (found) return found;
    const given = isWaiting ? await this.processes.give(callId) : null;
    return given ?? this.processes.findAny();
  }
}
