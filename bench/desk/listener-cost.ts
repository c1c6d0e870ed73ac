import { setTimeout as sleep } from 'node:timers/promises';
import { CallListener, type MonitorGrant } from '../../test/support/call-listener.js';
import { cpuMsOf } from '../support/cpu-time.js';
import type { ProsaProcess } from '../support/prosa-process.js';

/** A window without listeners, and one with them, in turns: what else the machine does is in both. */
const ROUNDS = 3;
const MAX_LISTENERS = 3;
/** For the listeners to be there, or gone. */
const SETTLE_MS = 2_000;

export interface ListenerCost {
  readonly listeners: number;
  readonly calls: number;
  /** Of one core, of the whole process. */
  readonly coreShareWithout: number;
  readonly coreShareWith: number;
}

/** How many calls so many people can listen to. */
export function callsFor(listeners: number): number {
  return Math.ceil(listeners / MAX_LISTENERS);
}

/** The processor time of a Prosa with these silent calls, without listeners and with them. */
export async function listenerCost(
  prosa: ProsaProcess,
  callIds: readonly number[],
  listeners: number,
  seconds: number,
): Promise<ListenerCost> {
  const shares: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    shares[0].push(await coreShare(prosa, seconds));
    const listening = await Promise.all(
      Array.from({ length: listeners }, async (_, index) => {
        const callId = callIds[index % callIds.length] ?? 0;
        const { data } = await prosa.post<{ data: MonitorGrant }>(`/api/user/calls/${callId}/monitor`, {});
        return CallListener.connect(data);
      }),
    );
    shares[1].push(await coreShare(prosa, seconds));
    if (listening.some(({ closeCode, frames }) => closeCode !== null || frames < seconds * 40))
      throw new Error('a listener heard too little');
    for (const { socket } of listening) socket.close();
  }
  const [without, withThem] = shares.map((list) => list.reduce((sum, share) => sum + share, 0) / ROUNDS);
  return {
    listeners,
    calls: callIds.length,
    coreShareWithout: without ?? NaN,
    coreShareWith: withThem ?? NaN,
  };
}

async function coreShare({ child: { pid = 0 } }: ProsaProcess, seconds: number): Promise<number> {
  await sleep(SETTLE_MS);
  const [cpuMs, startedAtMs] = [cpuMsOf(pid), performance.now()];
  await sleep(seconds * 1_000);
  return (cpuMsOf(pid) - cpuMs) / (performance.now() - startedAtMs);
}
