import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import type { Call } from './call.entity.js';

/**
 * Notifies the watchers of an account that a call is new, has changed its state, or is gone. Call it after the
 * commit.
 */
@Injectable()
export class CallEventsPublisher {
  constructor(private readonly live: LiveEventsService) {}

  changed({ userId, id }: Pick<Call, 'userId' | 'id'>): void {
    this.live.publish(`account ${userId}`, 'call', id);
  }
}
