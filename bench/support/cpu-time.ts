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

/** Processor time of a process and of all living processes that it has started, directly or not. */
export function cpuMsOfTree(pid: number): number {
  const children = pidsNow().filter((each) => timesOf(each)?.parent === pid);
  return children.reduce((sumMs, child) => sumMs + cpuMsOfTree(child), cpuMsOf(pid));
}

/** Processor time of all living siblings of a process, itself included: of the backends of a database server. */
export function cpuMsOfSiblings(pid: number): number {
  const parent = timesOf(pid)?.parent;
  if (parent === undefined) return Number.NaN;
  let sumMs = 0;
  for (const each of pidsNow()) {
    const times = timesOf(each);
    if (times?.parent === parent) sumMs += times.cpuMs;
  }
  return sumMs;
}

function pidsNow(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
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
