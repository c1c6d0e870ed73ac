import { Injectable } from '@nestjs/common';
import {
  type VoiceProcessAddress,
  VoiceProcessesService,
} from '../../voice-workers/voice-processes.service.js';
import { WebCallsRepository } from '../web-calls.repository.js';
import { CallSocketsService, type SocketUpgrade } from './call-sockets.service.js';

/** Connects the WebSockets of web calls with the voice process that has the call. */
@Injectable()
export class WebCallUpgradesService {
  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly sockets: CallSocketsService,
    private readonly webCalls: WebCallsRepository,
  ) {}

  /** @throws TooManyRequestsError */
  async open(upgrade: SocketUpgrade): Promise<void> {
    if (!(await this.sockets.admit(upgrade, 'web calls'))) return;
    const { callId } = upgrade;
    const awaited = await this.webCalls.findAwaited(callId);
    await this.sockets.connect(upgrade, {
      isAwaited: awaited !== null,
      find: () => this.processOf(callId, awaited?.isWaiting === true),
    });
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
