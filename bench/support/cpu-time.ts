import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly cpuMs: number;
  /** With that of children which have ended. */
  readonly withEndedMs: number;
}

function timesOf(pid: number): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    const cpuMs = (user + system) * MS_PER_TICK;
    return {
      parent: Number(fields[1]),
      cpuMs,
      withEndedMs: cpuMs + (endedUser + endedSystem) * MS_PER_TICK,
    };
  } catch {
    return null;
  }
}

/** Processor time a process has used; NaN where there is no /proc. */
export function cpuMsOf(pid: number): number {
  return timesOf(pid)?.cpuMs ?? Number.NaN;
}

/** Processor time of all living siblings of a process, itself included: of the backends of a database server. */
export function cpuMsOfSiblings(pid: number): number {
  const parent = timesOf(pid)?.parent;
  if (parent === undefined) return Number.NaN;
  let sumMs = 0;
  for (const entry of readdirSync('/proc')) {
    const times = /^\d+$/.test(entry) ? timesOf(Number(entry)) : null;
    if (times?.parent === parent) sumMs += times.cpuMs;
  }
  return sumMs;
}

/**
 * Processor time of the parent of a process and of all its children, those that have ended included: of a database
 * server, of which the process is a backend.
 */
export function cpuMsOfFamily(pid: number): number {
  const parent = timesOf(pid)?.parent;
  if (parent === undefined) return Number.NaN;
  return cpuMsOfSiblings(pid) + (timesOf(parent)?.withEndedMs ?? Number.NaN);
}
