import { Injectable } from '@nestjs/common';
import { recordCall } from '../../common/observability/tracing.js';
import type { Tx } from '../../database/transactions.js';
import { JobsService } from '../../queues/jobs.service.js';
import type { EndedCall } from '../active-calls/running-call.js';
import { CallEventsPublisher } from '../calls/call-events-publisher.js';
import type { StoredCall } from '../calls/call-facts.js';
import { CallEndNotifierService } from './call-end-notifier.service.js';
import { CallWebhooksService } from './call-webhooks.service.js';
import { evaluateCallJob } from './evaluate-call.job.js';

/** One evaluation of a call is under way at a time: each asks a model, and costs. */
export function evaluationJobId(callId: number): string {
  return `evaluate-call-${callId}`;
}

/** Reports ends of calls: to webhooks, to the dialler, to pages that watch the account, and to the work that follows. */
@Injectable()
export class CallEndEventsService {
  constructor(
    private readonly webhooks: CallWebhooksService,
    private readonly events: CallEventsPublisher,
    private readonly endNotifier: CallEndNotifierService,
    private readonly jobs: JobsService,
  ) {}

  /** Writes the webhooks of the last state, in the transaction that brings the call there. Returns whether any is wanted. */
  announce(
    call: Pick<StoredCall, 'userId' | 'id' | 'assistantId'>,
    ended: EndedCall,
    tx: Tx,
  ): Promise<boolean> {
    return this.webhooks.announce(call, ended, tx);
  }

  /** The recording is stored, or cannot be, and no tool runs: what is left to do for the call may begin. */
  settled({ id: callId }: Pick<StoredCall, 'id'>): void {
    this.jobs.wake(evaluateCallJob, { callId }, { id: evaluationJobId(callId) });
  }

  /** To be called after the commit, as is the next. */
  talkEnded({ id, userId, campaignName }: StoredCall): void {
    this.events.changed({ userId, id });
    this.webhooks.wakeFor(userId);
    if (campaignName !== null) this.endNotifier.lineFreed();
  }

  async callEnded(
    { id, userId, campaignName, createdAt }: Pick<StoredCall, 'id' | 'userId' | 'campaignName' | 'createdAt'>,
    isAnnounced: boolean,
  ): Promise<void> {
    recordCall(id, createdAt, {});
    this.events.changed({ userId, id });
    if (isAnnounced) this.webhooks.wake();
    else this.webhooks.wakeFor(userId);
    if (campaignName !== null) await this.endNotifier.ended(id);
  }
}
