import { HAS_LINE } from './line-conditions.js';

/** SQL conditions on voice processes, named `process`, and on the calls that they have. */

/** A process that has not written a heartbeat for so long counts as dead: three heartbeats. */
export const DEAD_AFTER_SECONDS = 15;

/** A process has the lines of a carrier for all accounts at it, see CallCarrier. */
export const CARRIER_FAMILY = "split_part(active.carrier, ':', 1)";

export const PROCESS_IS_HEARD = `process.heartbeat_at > now() - interval '${DEAD_AFTER_SECONDS} seconds'`;

/** A process that starts cannot be asked anything yet. */
export const PROCESS_IS_ALIVE = `${PROCESS_IS_HEARD} AND NOT process.starting`;

/** Calls that a process has, or was given and has not placed yet. */
export const CALLS_OF_PROCESS = `(SELECT count(*) FROM active_calls active
  WHERE active.voice_process_id = process.id AND ${HAS_LINE})`;

/** Those of visitors among them. */
export const VISITOR_CALLS_OF_PROCESS = `(SELECT count(*) FROM active_calls active
  WHERE active.voice_process_id = process.id AND active.by_visitor AND ${HAS_LINE})`;

/** How many calls of visitors a process takes. @param share SQL: VISITOR_CALLS_SHARE */
export const visitorCapacityOfProcess = (share: string) =>
  `greatest(1, floor(process.capacity * ${share}::float8))`;
