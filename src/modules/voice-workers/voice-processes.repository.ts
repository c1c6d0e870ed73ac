import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { HAS_LINE } from '../active-calls/line-conditions.js';
import {
  CALLS_OF_PROCESS,
  CARRIER_FAMILY,
  DEAD_AFTER_SECONDS,
  PROCESS_IS_ALIVE,
  PROCESS_IS_HEARD,
  VISITOR_CALLS_OF_PROCESS,
  visitorCapacityOfProcess,
} from '../active-calls/voice-process-conditions.js';
import type { VoiceProcess } from './voice-process.entity.js';

/** Where a voice process is reached. */
export type VoiceProcessAddress = Pick<VoiceProcess, 'id' | 'address'>;

/** How long rows of dead processes are kept, for inspection. */
const KEPT_SECONDS = 3_600;

/** As many are asked whether they are there. */
const MOST_OTHERS = 20;

/** A process is expected to come back for so long after the last one of the installation was there. */
const EXPECTED_DAYS = 7;
export interface VoicePresence {
  /** One at least takes calls, or has some and is about to end. */
  readonly isThere: boolean;
  /** One at least is being loaded. */
  readonly isStarting: boolean;
  /** There has been one lately. */
  readonly isKnown: boolean;
  /** Since a process was last heard of; null where none ever was. */
  readonly lastHeardMs: number | null;
}

@Injectable()
export class VoiceProcessesRepository {
  constructor(private readonly database: Database) {}

  /** Says that a process lives, and how it is doing; the first time as well as each other. */
  async beat(process: Omit<VoiceProcess, 'heartbeatAt'>): Promise<void> {
    const { id, address, capacity, load, carriers, draining, starting } = process;
    await this.database.query(
      `WITH forgotten AS (
         DELETE FROM voice_processes WHERE heartbeat_at < now() - interval '${KEPT_SECONDS} seconds' AND id <> $1)
       INSERT INTO voice_processes (id, address, capacity, load, carriers, draining, starting, heartbeat_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now())
       ON CONFLICT (id) DO UPDATE SET address = excluded.address, load = excluded.load, carriers = excluded.carriers,
         draining = excluded.draining, starting = excluded.starting, heartbeat_at = now()`,
      [id, address, capacity, load, carriers, draining, starting],
    );
  }

  /** How the voice processes of the installation are doing, all together. */
  async presence(): Promise<VoicePresence> {
    const [row] = await this.database.query<VoicePresence>(
      `SELECT coalesce(bool_or(${PROCESS_IS_ALIVE}), false) AS "isThere",
         coalesce(bool_or(${PROCESS_IS_HEARD} AND process.starting), false) AS "isStarting",
         coalesce(bool_or(process.heartbeat_at > now() - interval '${EXPECTED_DAYS} days'), false) AS "isKnown",
         (extract(epoch FROM now() - max(process.heartbeat_at)) * 1000)::float8 AS "lastHeardMs"
       FROM voice_processes process`,
    );
    return row ?? { isThere: false, isStarting: false, isKnown: false, lastHeardMs: null };
  }

  /**
   * Calls that wait to be placed over lines of these carriers. Those of campaigns are the dialler's, and a browser places its own
   * by connecting.
   */
  listWaiting(carriers: readonly string[], limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT active.call_id AS "callId" FROM active_calls active JOIN calls call ON call.id = active.call_id
       WHERE active.stage = 'waiting' AND call.campaign_name IS NULL AND call.type = 'outbound' AND ${CARRIER_FAMILY} = ANY($1)
       ORDER BY active.call_id LIMIT $2`,
      [carriers, limit],
    );
  }

  /** The process was announced, and never takes calls. */
  async remove(id: string): Promise<void> {
    await this.database.query('DELETE FROM voice_processes WHERE id = $1', [id]);
  }

  /**
   * The process has ended, or cannot be reached and is taken for dead; one that lives after all is back with its next heartbeat.
   * Its row stays: by its address its calls are taken over, and it says that there are voice processes here.
   */
  async markDead(id: string): Promise<void> {
    await this.database.query(
      `UPDATE voice_processes SET heartbeat_at = now() - interval '${DEAD_AFTER_SECONDS} seconds' WHERE id = $1`,
      [id],
    );
  }

  /** How many calls more the processes take that have the lines of a carrier, all together. */
  countPlaces(carrier: string, tx?: Tx): Promise<number> {
    return this.database.count(
      `SELECT coalesce(sum(greatest(capacity - ${CALLS_OF_PROCESS}, 0)), 0)::integer AS places
       FROM voice_processes process WHERE ${PROCESS_IS_ALIVE} AND NOT draining AND $1 = ANY(carriers)`,
      [carrier],
      tx,
    );
  }

  /**
   * How many visitors' calls more the processes take. Calls that were opened and wait for their browser have their place.
   *
   * @param share the part of a process's lines that visitors' calls may take
   */
  countVisitorPlaces(carrier: string, share: number): Promise<number> {
    const capacity = visitorCapacityOfProcess('$2');
    return this.database.count(
      `SELECT (coalesce(sum(greatest(0,
           least(capacity - ${CALLS_OF_PROCESS}, ${capacity} - ${VISITOR_CALLS_OF_PROCESS}))), 0)
         - (SELECT count(*) FROM active_calls active
            WHERE active.by_visitor AND active.voice_process_id IS NULL AND ${HAS_LINE}))::integer AS places
       FROM voice_processes process WHERE ${PROCESS_IS_ALIVE} AND NOT draining AND $1 = ANY(carriers)`,
      [carrier, share],
    );
  }

  /** Any process that lives. */
  findAny(): Promise<VoiceProcessAddress | null> {
    return this.database.first<VoiceProcessAddress>(
      `SELECT id, address FROM voice_processes process WHERE ${PROCESS_IS_ALIVE} ORDER BY draining, load LIMIT 1`,
    );
  }

  /** The process of that id, where it lives. */
  find(id: string): Promise<VoiceProcessAddress | null> {
    return this.database.first<VoiceProcessAddress>(
      `SELECT id, address FROM voice_processes process WHERE id = $1 AND ${PROCESS_IS_ALIVE}`,
      [id],
    );
  }

  /** The least loaded process that has the lines of a carrier and takes calls. */
  findServing(carrier: string, tx?: Tx): Promise<VoiceProcessAddress | null> {
    return this.database.first<VoiceProcessAddress>(
      `SELECT id, address FROM voice_processes process
       WHERE ${PROCESS_IS_ALIVE} AND NOT draining AND $1 = ANY(carriers) ORDER BY load, id LIMIT 1`,
      [carrier],
      tx,
    );
  }

  /** Processes besides this one that live and are not about to end. @param carrier left out: with any lines */
  listOthers(ownId: string, carrier: string | null = null): Promise<VoiceProcessAddress[]> {
    return this.database.query<VoiceProcessAddress>(
      `SELECT id, address FROM voice_processes process WHERE ${PROCESS_IS_ALIVE} AND NOT draining AND id <> $1
         AND ($2::text IS NULL OR $2 = ANY(carriers))
       ORDER BY load LIMIT ${MOST_OTHERS}`,
      [ownId, carrier],
    );
  }

  /** The process that has the call, where it lives and, before the call is placed, takes such calls and has its line. */
  findOf(callId: number, tx?: Tx): Promise<VoiceProcessAddress | null> {
    return this.database.first<VoiceProcessAddress>(
      `SELECT process.id, process.address
       FROM active_calls active JOIN voice_processes process ON process.id = active.voice_process_id
       WHERE active.call_id = $1 AND ${PROCESS_IS_ALIVE} 
         AND (active.stage <> 'waiting'
           OR ${CARRIER_FAMILY} = ANY(process.carriers) AND NOT process.draining AND ${HAS_LINE})`,
      [callId],
      tx,
    );
  }

  /** Until the transaction ends no other process assigns calls: each must see what the one before has assigned. */
  async lockGiving(tx: Tx): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.voiceProcesses], tx);
  }
}
