import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import type { RunningCall } from '../session/active-calls.repository.js';
import { VoiceClientService, VoiceProcessGoneError } from './voice-client.service.js';
import { VoiceProcessesService } from './voice-processes.service.js';

/** How often a call is given to another process because nobody listens at the address of the one before. */
const MAX_TRIES = 3;

/**
 * - `here`: this process is the one that places it
 * - `no-room`: no voice process takes the call now
 * - `lost`: the process that was about to place it is gone, and what it knew of the carrier with it
 * - the others as in OutboundCallsService.send
 */
export type Dispatch = 'here' | 'no-room' | 'lost' | 'sent' | 'not-sent' | 'undelivered' | 'unknown';

/** Gives calls with sound to the processes that carry it. */
@Injectable()
export class VoiceDispatchService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly logger: Logger,
  ) {}

  /** Whether sound goes over the lines of the carrier; words alone can be carried by every worker. */
  hasSound(carrier: string): boolean {
    return 'audio' in this.carriers.named(carrier).media;
  }

  /** Has the call placed by the process it is given to. Safe to repeat: what the carrier has is not dialled again. */
  async send({ active }: RunningCall, mayDial: boolean): Promise<Dispatch> {
    const { callId } = active;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const process = await this.processes.give(callId);
      if (!process) break;
      if (process.id === this.processes.own?.id) return 'here';
      try {
        return await this.client.send(process, callId, mayDial);
      } catch (error) {
        if (!(error instanceof VoiceProcessGoneError)) throw error;
        this.logger.warn('voice process is gone', { address: process.address, err: error });
        await this.processes.forget(process);
      }
    }
    return active.stage === 'placing' ? 'lost' : 'no-room';
  }
}
