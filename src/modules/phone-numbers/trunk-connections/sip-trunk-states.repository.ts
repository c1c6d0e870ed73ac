import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCK_CLASSES } from '../../../database/advisory-locks.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import { SipTrunkState } from './sip-trunk-state.entity.js';

/** Some process has the lock under which trunks are served; a lock of its session dies with it. */
const IS_SERVED = `EXISTS (
  SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
  WHERE locktype = 'advisory' AND classid = ${ADVISORY_LOCK_CLASSES.sipTrunks} AND objid = 1 AND objsubid = 2
    AND granted AND datname = current_database())`;

@Injectable()
export class SipTrunkStatesRepository {
  constructor(private readonly database: Database) {}

  /** Of the account's trunks, by id; empty while no process serves trunks. */
  async ofAccount(userId: number): Promise<ReadonlyMap<number, SipTrunkState>> {
    const states = await this.database
      .manager()
      .createQueryBuilder(SipTrunkState, 'state')
      .where('state.user_id = :userId', { userId })
      .andWhere(IS_SERVED)
      .getMany();
    return new Map(states.map((state) => [state.trunkId, state]));
  }

  /** Null also while no process serves trunks. */
  find(userId: number, trunkId: number): Promise<SipTrunkState | null> {
    return this.database
      .manager()
      .createQueryBuilder(SipTrunkState, 'state')
      .where('state.trunk_id = :trunkId AND state.user_id = :userId', { trunkId, userId })
      .andWhere(IS_SERVED)
      .getOne();
  }

  /** Writes states of trunks of all accounts that have changed; trunks that were deleted in the meantime are skipped. */
  async save(states: readonly SipTrunkState[]): Promise<void> {
    await this.database.query(
      `INSERT INTO sip_trunk_states (trunk_id, user_id, inbound_id, outbound_id, registration, reason, reachable)
       SELECT state.* FROM jsonb_to_recordset($1::jsonb) AS state ("trunkId" integer, "userId" integer,
         "inboundId" text, "outboundId" text, registration text, reason text, reachable boolean)
       JOIN sip_trunks trunk ON trunk.id = state."trunkId"
       ORDER BY trunk.id
       ON CONFLICT (trunk_id) DO UPDATE SET inbound_id = excluded.inbound_id, outbound_id = excluded.outbound_id,
         registration = excluded.registration, reason = excluded.reason, reachable = excluded.reachable
         WHERE sip_trunk_states.* IS DISTINCT FROM excluded.*`,
      [JSON.stringify(states)],
    );
  }

  /** Nothing is known of the trunk any more. */
  async forget(userId: number, trunkId: number, tx: Tx): Promise<void> {
    await this.database.manager(tx).delete(SipTrunkState, { userId, trunkId });
  }

  /** The same of all trunks of all accounts. */
  async forgetAll(): Promise<void> {
    await this.database.query('DELETE FROM sip_trunk_states', []);
  }
}
