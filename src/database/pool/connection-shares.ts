/** The fewest connections a process can work with: one for each share below. One that serves SIP trunks needs one more. */
export const MIN_CONNECTIONS = 4;

/**
 * How long an idle connection is kept, in milliseconds: longer than the intervals of frequent sweeps, which would otherwise
 * open it anew each time. Opening one costs each side at least ten milliseconds of processor time for keys.
 */
export const IDLE_CONNECTION_MS = 45_000;

/** How the connections of a process are shared out. Together they are never more than it was given. */
export interface ConnectionShares {
  /** The pool of requests and jobs. */
  readonly data: number;
  /** Statements of the job queue; none with Redis. */
  readonly jobs: number;
  /** On which workers hear of new jobs, and the API of changes. */
  readonly listener: number;
  /** For the locks of a process that places calls, which belong to a session; that of the SIP trunks has one of its own. */
  readonly session: number;
}

const MAX_JOB_CONNECTIONS = 4;

/**
 * Divides the connections of a process into shares. The holder of a connection never waits for another of the same share,
 * so a share of one connection is slow but cannot deadlock.
 *
 * @param total at least {@link MIN_CONNECTIONS}; where that is too few, one more is opened
 * @param of.locks whether the process holds locks that belong to a session, as those that place calls do
 * @param of.trunks whether it may serve the SIP trunks
 */
export function shareConnections(
  total: number,
  {
    locks,
    trunks,
    hasRedis,
  }: { readonly locks: boolean; readonly trunks: boolean; readonly hasRedis: boolean },
): ConnectionShares {
  const session = (locks ? 1 : 0) + (trunks ? 1 : 0);
  const listener = hasRedis ? 0 : 1;
  const jobs = hasRedis ? 0 : Math.min(MAX_JOB_CONNECTIONS, Math.ceil((total - session - listener) / 4));
  return { data: Math.max(total - jobs - listener - session, 1), jobs, listener, session };
}
