import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../database/transactions.js';
import { CallTurnsRepository } from './call-turns.repository.js';
import type { RecordedTurn, TurnsFrom } from './recorded-turns.js';

/** The turns of calls on record, for the modules that conduct calls. */
@Injectable()
export class CallTurnsService {
  constructor(private readonly turns: CallTurnsRepository) {}

  /** In their order. */
  list(userId: number, callId: number): Promise<RecordedTurn[]> {
    return this.turns.list(userId, callId);
  }

  /**
   * Adds turns to an open call, or replaces those that have changed. Does nothing when another process holds the lease of the
   * call.
   */
  write(callId: number, token: string, turns: TurnsFrom, tx?: Tx): Promise<void> {
    return this.turns.write(callId, token, turns, tx);
  }
}
