import { Injectable } from '@nestjs/common';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { toSafeInteger } from '../../database/columns.js';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Alert } from './alert.entity.js';

export interface NewAlert {
  readonly userId: number;
  readonly limitName: string;
  /** 0 for a limit of the account. */
  readonly assistantId: number;
  readonly value: number;
  readonly resetsInSeconds: number;
}

/** The result of adding an alert. */
export interface AddedAlert {
  /** Null when there is an alert for the limit today. */
  readonly alert: Pick<Alert, 'id' | 'resetsAt' | 'createdAt'> | null;
  /** Until the next UTC day begins, by the clock of the database. */
  readonly dayLeftMs: number;
}

/** An alert with what the assistant is called now; nulls for the account's and for a deleted one. */
export interface AlertRow {
  readonly id: number;
  readonly limitName: string;
  readonly assistantId: number | null;
  readonly assistantUuid: string | null;
  readonly assistantName: string | null;
  readonly value: number;
  readonly resetsAt: Date;
  readonly createdAt: Date;
}

@Injectable()
export class AlertsRepository {
  constructor(private readonly database: Database) {}

  async add(alert: NewAlert, tx: Tx): Promise<AddedAlert> {
    const [row] = await this.database.query<{
      readonly id: number | null;
      readonly resetsAt: Date;
      readonly createdAt: Date;
      readonly dayLeftMs: number;
    }>(
      `WITH added AS (
         INSERT INTO alerts (user_id, limit_name, assistant_id, day, value, resets_at)
         VALUES ($1, $2, $3, (now() AT TIME ZONE 'UTC')::date, $4, now() + make_interval(secs => $5))
         ON CONFLICT ON CONSTRAINT alerts_once_a_day_key DO NOTHING
         RETURNING id, resets_at, created_at)
       SELECT added.id, added.resets_at AS "resetsAt", added.created_at AS "createdAt",
         ceil(extract(epoch FROM date_trunc('day', now(), 'UTC') + interval '24 hours' - now()) * 1000)::integer
           AS "dayLeftMs"
       FROM (SELECT) AS today LEFT JOIN added ON true`,
      [alert.userId, alert.limitName, alert.assistantId, alert.value, alert.resetsInSeconds],
      tx,
    );
    if (!row) throw new Error('adding the alert returned no row');
    const { id, resetsAt, createdAt, dayLeftMs } = row;
    return { alert: id === null ? null : { id, resetsAt, createdAt }, dayLeftMs };
  }

  /** Newest first. */
  async page(userId: number, { page, perPage }: PageRequest): Promise<PageOf<AlertRow>> {
    const [rows, counted] = await Promise.all([
      this.database.query<AlertRow>(
        `SELECT alert.id, alert.limit_name AS "limitName", assistant.id AS "assistantId",
           assistant.uuid AS "assistantUuid", assistant.name AS "assistantName", alert.value,
           alert.resets_at AS "resetsAt", alert.created_at AS "createdAt"
         FROM alerts alert
         LEFT JOIN assistants assistant ON assistant.id = alert.assistant_id AND assistant.user_id = alert.user_id
         WHERE alert.user_id = $1 ORDER BY alert.id DESC LIMIT $2 OFFSET $3`,
        [userId, perPage, (page - 1) * perPage],
      ),
      this.database.query<{ total: string }>('SELECT count(*) AS total FROM alerts WHERE user_id = $1', [
        userId,
      ]),
    ]);
    return { rows, total: toSafeInteger(counted[0]?.total ?? 0) };
  }

  async removeOlderThan(days: number): Promise<void> {
    await this.database.query('DELETE FROM alerts WHERE created_at < now() - make_interval(days => $1)', [
      days,
    ]);
  }
}
