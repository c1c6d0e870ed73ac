import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly cpuMs: number;
}

function timesOf(pid: number): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK };
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
