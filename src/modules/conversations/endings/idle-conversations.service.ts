import { Injectable } from '@nestjs/common';
import { Handles } from '../../../queues/workers/handles.js';
import { VisitorRecordsService } from '../../visitors/visitor-records.service.js';
import { ConversationEventsPublisher } from '../conversation-events-publisher.js';
import { ConversationsRepository } from '../conversations.repository.js';
import { sweepVisitorsJob } from '../sweep-visitors.job.js';
import { ConversationEndingsService } from './conversation-endings.service.js';
import { endIdleConversationsJob } from './end-idle-conversations.job.js';
import { UnusedConversationsRepository } from './unused-conversations.repository.js';

const BATCH = 50;
const UNUSED_KEPT_MS = 86_400_000;
const UNUSED_BATCH = 500;

/** Ends idle conversations. */
@Injectable()
export class IdleConversationsService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly unused: UnusedConversationsRepository,
    private readonly endings: ConversationEndingsService,
    private readonly events: ConversationEventsPublisher,
    private readonly visitors: VisitorRecordsService,
  ) {}

  @Handles(endIdleConversationsJob)
  async sweep(): Promise<void> {
    await this.endIdle();
    await this.endings.sweep();
  }

  @Handles(sweepVisitorsJob)
  async sweepVisitors(): Promise<void> {
    await this.visitors.sweep();
    await this.removeUnused();
  }

  /** Ends what is idle, and has the rest done for it. Safe in many processes at once. */
  async endIdle(): Promise<void> {
    for (;;) {
      const ended = await this.conversations.endIdle(BATCH);
      for (const { userId, id } of ended) this.events.state(userId, id);
      await this.endings.allEnded(ended.map(({ id }) => id));
      if (ended.length < BATCH) return;
    }
  }

  /** Deletes widget conversations without a message of the visitor, a day after their end. */
  async removeUnused(): Promise<void> {
    while ((await this.unused.remove(UNUSED_KEPT_MS, UNUSED_BATCH)) === UNUSED_BATCH);
  }
}
