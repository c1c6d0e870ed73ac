import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** An assistant that a call to its number may reach. */
export interface NumberAssistant {
  readonly userId: number;
  readonly id: number;
}

/** An assistant that may answer calls, as a preview shows it. */
export interface CallableAssistant {
  readonly id: number;
  readonly name: string;
  /** The number whose calls it answers by itself; null where there is none. */
  readonly answersNumberId: number | null;
}

const UNDECIDED = "status = 'inactive' AND activates_by_use AND closed_at IS NULL";

@Injectable()
export class AssistantActivationRepository {
  constructor(private readonly database: Database) {}

  /** Makes an assistant active whose owner has not decided otherwise. False when it was active, or must not become so. */
  activate(userId: number, id: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `UPDATE assistants SET status = 'active', revision = revision + 1, updated_at = now()
       WHERE user_id = $1 AND id = $2 AND ${UNDECIDED} RETURNING id`,
      [userId, id],
      tx,
    );
  }

  isActive(userId: number, id: number, tx: Tx): Promise<boolean> {
    return this.database.matches(
      "SELECT FROM assistants WHERE user_id = $1 AND id = $2 AND status = 'active'",
      [userId, id],
      tx,
    );
  }

  /** The inbound assistant of a number that a call would make active. A number has one inbound assistant at most. */
  findUndecided(phoneNumberId: number): Promise<NumberAssistant | null> {
    return this.database.first<NumberAssistant>(
      `SELECT user_id AS "userId", id FROM assistants
       WHERE phone_number_id = $1 AND type = 'inbound' AND ${UNDECIDED}`,
      [phoneNumberId],
    );
  }

  /** Those of the account's assistants that a call can use: with one of these ids, or the inbound one of these numbers. */
  findCallable(
    userId: number,
    ids: readonly number[],
    phoneNumberIds: readonly number[],
  ): Promise<CallableAssistant[]> {
    return this.database.query(
      `SELECT id, name, CASE WHEN type = 'inbound' THEN phone_number_id END AS "answersNumberId" FROM assistants
       WHERE user_id = $1 AND (id = ANY($2::int[]) OR (phone_number_id = ANY($3::int[]) AND type = 'inbound'))
         AND ((status = 'active' AND closed_at IS NULL) OR (${UNDECIDED}))`,
      [userId, ids, phoneNumberIds],
    );
  }
}
