import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Call } from './call.entity.js';
import type { CallMove, CallStatus } from './call-states.js';

/** What is known of a call when it begins. */
export type NewCall = Pick<Call, 'userId' | 'assistantName' | 'type'> &
  Partial<
    Pick<
      Call,
      | 'assistantId'
      | 'campaignId'
      | 'campaignName'
      | 'leadId'
      | 'attemptId'
      | 'assistantPhoneNumber'
      | 'clientPhoneNumber'
      | 'variables'
      | 'recordingEnabled'
    >
  >;

/** What becomes known of a call while it moves. */
export type CallFacts = Partial<
  Pick<
    Call,
    | 'answeredBy'
    | 'transcript'
    | 'variables'
    | 'evaluation'
    | 'webhookResponse'
    | 'carrierCostMicros'
    | 'aiCostMicros'
    | 'recordingUrl'
  >
>;

const now = () => 'now()';
const end = { endedAt: now };
const endOfTalk = {
  ...end,
  durationSeconds: () => 'greatest(0, round(coalesce(extract(epoch FROM now() - answered_at), 0)))::integer',
};

/** What the clock has to say of a call that arrives in a state. */
const STAMPS = {
  initiated: {},
  ringing: { startedAt: now },
  'in-progress': { answeredAt: now },
  busy: end,
  'no-answer': end,
  failed: end,
  ended: endOfTalk,
  ended_by_customer: endOfTalk,
  ended_by_assistant: endOfTalk,
  completed: {},
} as const satisfies Record<CallStatus, object>;

@Injectable()
export class CallsRepository {
  constructor(private readonly database: Database) {}

  add(call: NewCall, tx?: Tx): Promise<Call> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(Call, call));
  }

  find(userId: number, id: number, tx?: Tx): Promise<Call | null> {
    return this.database.manager(tx).findOneBy(Call, { userId, id });
  }

  /** Moves a call on, if it still is where the move begins. */
  async transition(
    userId: number,
    id: number,
    { from, to }: CallMove,
    facts: CallFacts,
    tx?: Tx,
  ): Promise<boolean> {
    // The ORM's own type does not take free objects, such as variables, for column values.
    const change = { ...facts, ...STAMPS[to], status: to } as QueryDeepPartialEntity<Call>;
    const result = await this.database.manager(tx).update(Call, { userId, id, status: from }, change);
    return result.affected === 1;
  }

  async delete(userId: number, id: number): Promise<boolean> {
    const result = await this.database.manager().delete(Call, { userId, id });
    return result.affected === 1;
  }
}
