import { Injectable } from '@nestjs/common';
import { KeyedBatcher } from '../../../common/concurrency/keyed-batcher.js';
import type { Tx } from '../../../database/transactions.js';
import { ActiveCallsRepository } from '../active-calls.repository.js';
import type { EndedCall } from '../running-call.js';
import { UnansweredCallsRepository } from './unanswered-calls.repository.js';
import type { UnansweredEnd } from './unanswered-end.js';

const MAX_AT_ONCE = 64;

/** Ends stages of active calls. Of several processes that try, one succeeds. */
@Injectable()
export class CallEndsService {
  /** By account: the calls of one never wait for the money of another. */
  private readonly quietEnds = new KeyedBatcher<number, UnansweredEnd, boolean>(async (userId, ends) => {
    const ended = await this.unansweredCalls.end(userId, ends);
    return ends.map(({ callId }) => ended.has(callId));
  }, MAX_AT_ONCE);

  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly unansweredCalls: UnansweredCallsRepository,
  ) {}

  /**
   * Ends an unanswered call in one statement, together with others of its account that end at the same time: its record, its
   * money and its row here. False, and nothing has happened, where a webhook is wanted, or another process holds the call.
   */
  endQuietly(userId: number, end: UnansweredEnd): Promise<boolean> {
    return this.quietEnds.run(userId, end);
  }

  /** Removes an unanswered call, after which there is no work. Null when another process holds it, or it has ended. */
  endUnanswered(callId: number, token: string | null, tx: Tx): Promise<EndedCall | null> {
    return this.activeCalls.endUnanswered(callId, token, tx);
  }

  /** Ends the stage in which the line was open; false when another process holds the call, or it has ended. */
  endTalk(callId: number, token: string | null, tx: Tx): Promise<boolean> {
    return this.activeCalls.endTalk(callId, token, tx);
  }

  /** Removes an evaluated call: nothing is left to do for it. Null when it was removed before. */
  end(callId: number, tx: Tx): Promise<EndedCall | null> {
    return this.activeCalls.end(callId, tx);
  }
}
