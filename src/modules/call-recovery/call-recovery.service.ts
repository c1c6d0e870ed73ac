import { Injectable } from '@nestjs/common';
import { SessionLocks } from '../../database/connections/session-locks.js';
import { Handles } from '../../queues/workers/handles.js';
import type { PayloadOf } from '../../queues/job-definition.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallAdoptionService } from '../call-sessions/call-adoption.service.js';
import { CallPlacementService } from '../outbound-calls/call-placement.service.js';
import { VoiceDispatchService } from '../voice-workers/voice-dispatch.service.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';

/** Takes up calls that no process has: just made, or left by a process that died. */
@Injectable()
export class CallRecoveryService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly placement: CallPlacementService,
    private readonly adoption: CallAdoptionService,
    private readonly locks: SessionLocks,
    private readonly voice: VoiceDispatchService,
  ) {}

  /** Dials a call, or monitors it. Does nothing when another process does so already. Returns before the call is over. */
  @Handles(dialCallJob)
  async lookAfter({ callId }: PayloadOf<typeof dialCallJob>): Promise<void> {
    const found = await this.activeCalls.find(callId);
    switch (found?.active.stage) {
      case 'waiting':
      case 'placing':
        // Those of campaigns are sent under the lock of the lead, by the dialler alone.
        if (found.call.campaignName === null) await this.dial(found.active);
        return;
      case 'open':
        return this.adoption.adopt(callId);
      case 'evaluating':
      case undefined:
        return;
    }
  }

  /** The lock is held while this process is suspended, so that no other one dials what this one may dial when it is resumed. */
  private async dial({ callId, carrier }: RunningCall['active']): Promise<void> {
    // Where sound goes over the line, the voice process that places it takes the lock.
    if (this.voice.hasSound(carrier)) await this.placement.send(callId);
    else await this.locks.tryWith('call', callId, () => this.placement.send(callId));
  }
}
