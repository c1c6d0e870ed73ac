import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { VoiceClientService, VoiceProcessGoneError } from './voice-client.service.js';
import { type VoiceProcessAddress, VoiceProcessesService } from './voice-processes.service.js';

/** How often a call is given to another process because the one before does not listen at its address. */
const MAX_TRIES = 3;

/**
 * - `here`: this process is the one that places it
 * - `no-room`: no voice process takes the call now
 * - `lost`: the process that was about to place it is gone, and what it knew of the carrier with it
 * - the others as in CallPlacementService.send
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

  /**
   * Has the call placed by the process it is given to. Safe to repeat: what the carrier has is not dialled again.
   *
   * @param dialBeforeMs as CallPlacementService.send
   */
  async send({ active }: RunningCall, dialBeforeMs: number): Promise<Dispatch> {
    const { callId } = active;
    const sent = await this.askFirst<Dispatch>(
      () => this.processes.give(callId),
      async (process) =>
        process.id === this.processes.own?.id ? 'here' : this.client.send(process, callId, dialBeforeMs),
    );
    return sent ?? (active.stage === 'placing' ? 'lost' : 'no-room');
  }

  /**
   * Asks the process that is found, and the next one where none listens at its address. Null when there is none, or
   * too many were gone.
   *
   * @param ask throws VoiceProcessGoneError where no process listens
   */
  async askFirst<Answer>(
    find: () => Promise<VoiceProcessAddress | null>,
    ask: (process: VoiceProcessAddress) => Promise<Answer>,
  ): Promise<Answer | null> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const process = await find();
      if (!process) return null;
      try {
        return await ask(process);
      } catch (error) {
        if (!(error instanceof VoiceProcessGoneError)) throw error;
        this.logger.warn('voice process is gone', { address: process.address, err: error });
        await this.processes.forget(process);
      }
    }
    return null;
  }
}
