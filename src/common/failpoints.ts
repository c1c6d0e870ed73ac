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

/** Places of a first start, in the order in which it passes them. */
export const START_FAILPOINTS = [
  'after-first-account',
  'after-first-credit',
  'after-first-assistant',
  'after-first-conversation',
  'after-first-key',
  'after-first-banner',
] as const;

export type Failpoint = (typeof FAILPOINTS | typeof START_FAILPOINTS)[number];

/** Lets what has been started reach the network before the process is gone. */
const FLIGHT_MS = 25;
const SIGNALS = { kill: 'SIGKILL', pause: 'SIGSTOP' } as const;

interface Armed {
  readonly point: string;
  readonly signal: NodeJS.Signals;
}

let armed: readonly Armed[] = [];

/**
 * For fault tests: makes the process die or stop at failpoints, once at each.
 *
 * @param spec `name:kill` or `name:pause`, several after commas; undefined disarms
 */
export function armFailpoint(spec: string | undefined): void {
  armed = (spec?.split(',') ?? []).flatMap((one) => {
    const [point = '', action = ''] = one.split(':');
    return action === 'kill' || action === 'pause' ? [{ point, signal: SIGNALS[action] }] : [];
  });
}

/** Does nothing unless the process was armed for this point. */
export async function failpoint(point: Failpoint): Promise<void> {
  if (armed.length === 0) return;
  const hit = armed.find((one) => one.point === point);
  if (!hit) return;
  armed = armed.filter((one) => one !== hit);
  await sleep(FLIGHT_MS);
  process.kill(process.pid, hit.signal);
}
