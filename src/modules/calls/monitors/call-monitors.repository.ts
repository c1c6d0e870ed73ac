import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { CallMonitor } from './call-monitor.entity.js';
import { IS_LISTENING } from './is-listening.js';

/** Rows that ended so long ago are deleted: until then a process that was cut off from the database may extend its own. */
const KEPT_SECONDS = 600;

@Injectable()
export class CallMonitorsRepository {
  constructor(private readonly database: Database) {}

  /** Returns until when the token is valid. */
  async add(
    { id, callId, caller, memberName, tokenHash }: Omit<CallMonitor, 'redeemedAt' | 'validUntil'>,
    validSeconds: number,
  ): Promise<Date> {
    const [row] = await this.database.query<{ validUntil: Date }>(
      `INSERT INTO call_monitors (id, call_id, caller, member_name, token_hash, valid_until)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) RETURNING valid_until AS "validUntil"`,
      [id, callId, JSON.stringify(caller), memberName, tokenHash, validSeconds],
    );
    if (!row) throw new Error('no token was stored');
    return row.validUntil;
  }

  /** Null when the token is not of the call, was used, or came too late. */
  redeem(
    callId: number,
    tokenHash: Buffer,
    validSeconds: number,
  ): Promise<Pick<CallMonitor, 'id' | 'caller' | 'memberName'> | null> {
    return this.database.first<Pick<CallMonitor, 'id' | 'caller' | 'memberName'>>(
      `UPDATE call_monitors SET redeemed_at = now(), valid_until = now() + make_interval(secs => $3)
       WHERE call_id = $1 AND token_hash = $2 AND redeemed_at IS NULL AND valid_until > now()
       RETURNING id, caller, member_name AS "memberName"`,
      [callId, tokenHash, validSeconds],
    );
  }

  async extend(ids: readonly string[], validSeconds: number): Promise<void> {
    await this.database.query(
      'UPDATE call_monitors SET valid_until = now() + make_interval(secs => $2) WHERE id = ANY($1::uuid[])',
      [ids, validSeconds],
    );
  }

  async remove(id: string): Promise<void> {
    await this.database.query('DELETE FROM call_monitors WHERE id = $1', [id]);
  }

  countListening(callId: number): Promise<number> {
    return this.database.count(
      `SELECT count(*)::integer AS count FROM call_monitors WHERE call_id = $1 AND ${IS_LISTENING}`,
      [callId],
    );
  }

  async removeOld(): Promise<void> {
    await this.database.query(
      `DELETE FROM call_monitors WHERE valid_until < now() - interval '${KEPT_SECONDS} seconds'`,
    );
  }
}
