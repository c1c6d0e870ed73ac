import { Injectable } from '@nestjs/common';
import { Handles } from '#src/queues/workers/handles.js';
import { CallStopsService } from '../../../call-sessions/ends/call-stops.service.js';
import { CampaignLifecycleService } from '../../campaign-lifecycle.service.js';
import { DialAttemptsRepository, type SendingAttempt } from '../attempts/dial-attempts.repository.js';
import { DiallerService } from '../dialler.service.js';
import { LeadLocksRepository } from '../claims/lead-locks.repository.js';
import { LeadOutcomesService } from '../outcomes/lead-outcomes.service.js';
import { sweepDialsJob } from './sweep-dials.job.js';

const BATCH = 500;
/** The lock of attempts whose leads were deleted: they are recovered one at a time. */
const NO_LEAD = 0;

/** Recovers what processes left when they died. It repeats what the first process would have done. */
@Injectable()
export class DialRecoveryService {
  constructor(
    private readonly attempts: DialAttemptsRepository,
    private readonly locks: LeadLocksRepository,
    private readonly outcomes: LeadOutcomesService,
    private readonly dialler: DiallerService,
    private readonly lifecycle: CampaignLifecycleService,
    private readonly stops: CallStopsService,
  ) {}

  @Handles(sweepDialsJob)
  async sweep(): Promise<void> {
    for (const attempt of await this.attempts.findOverdue(BATCH)) await this.takeUp(attempt);
    const ended = await this.attempts.findEndedCalls(BATCH);
    await Promise.all(ended.map((callId) => this.outcomes.settle({ callId })));
    await this.stops.endRequested();
    for (const { id, userId } of await this.attempts.findExhausted(BATCH)) {
      await this.lifecycle.completeIfDone(userId, id);
    }
    await this.dialler.run();
  }

  /** The holder of the lead's lock is alive, if only frozen, and may yet send: its attempt is left alone. */
  private async takeUp(attempt: SendingAttempt): Promise<void> {
    const lock = await this.locks.tryLock(attempt.leadId ?? NO_LEAD);
    if (!lock) return;
    // Under the lock the state cannot change.
    if (await this.attempts.isSending(attempt.id)) this.dialler.takeUp({ attempt, lock, reserved: null });
    else await this.locks.unlock(lock);
  }
}
