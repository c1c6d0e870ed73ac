import { setTimeout as sleep } from 'node:timers/promises';

/** Places of the dial path at which a process may die or freeze. */
export const FAILPOINTS = [
  'before-claim-commit',
  'after-claim',
  'before-send',
  'after-send-before-reply',
  'after-reply-before-outcome',
  'after-outcome',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** Lets what has been started reach the network before the process is gone. */
const FLIGHT_MS = 25;
const SIGNALS = { kill: 'SIGKILL', pause: 'SIGSTOP' } as const;

interface Armed {
  readonly point: string;
  readonly signal: NodeJS.Signals;
  passesLeft: number;
}

let armed: Armed | null = null;

/**
 * For fault tests: makes the process die or stop at a failpoint, once.
 *
 * @param spec `name:kill`, `name:pause`, or `name:kill:n` for the nth time the point is passed; undefined disarms
 */
export function armFailpoint(spec: string | undefined): void {
  const [point = '', action = '', nth = '1'] = spec?.split(':') ?? [];
  armed =
    action === 'kill' || action === 'pause'
      ? { point, signal: SIGNALS[action], passesLeft: Number(nth) }
      : null;
}

/** Does nothing unless the process was armed for this point. */
export async function failpoint(point: Failpoint): Promise<void> {
  if (armed === null || armed.point !== point || --armed.passesLeft > 0) return;
  const { signal } = armed;
  armed = null;
  await sleep(FLIGHT_MS);
  process.kill(process.pid, signal);
}
