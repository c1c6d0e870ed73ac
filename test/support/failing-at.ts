import type { Failpoint } from '../../src/common/failpoints.js';

const SIGNALS = { kill: 'SIGKILL', pause: 'SIGSTOP' } as const;

/** Gives what the process has sent time to reach the network. */
const FLIGHT_MS = 25;

/**
 * Environment of a process of the product that kills or pauses itself at failpoints, once at each.
 */
export function failingAt(
  points: readonly Failpoint[],
  action: keyof typeof SIGNALS,
): Record<string, string> {
  const hook = `
    const points = new Set(${JSON.stringify(points)});
    globalThis[Symbol.for('prosa.failpoint')] = async (point) => {
      if (!points.delete(point)) return;
      await new Promise((resolve) => setTimeout(resolve, ${FLIGHT_MS}));
      process.kill(process.pid, '${SIGNALS[action]}');
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
}
