import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import type { Call } from './call.entity.js';

/** Tells those who watch an account that a call of it is new, stands elsewhere, or is gone. To be called after the commit. */
@Injectable()
export class CallEventsPublisher {
  constructor(private readonly live: LiveEventsService) {}

  changed({ userId, id }: Pick<Call, 'userId' | 'id'>): void {
    this.live.publish(`account ${userId}`, 'call', id);
  }
}
