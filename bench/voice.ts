/**
 * What calls in sound cost: `npm run bench -- voice [--calls 1,10,20,40] [--seconds 20] [--noise-cancellation]`.
 *
 * Each number of calls runs in a process of its own, on telephone lines of 8 kHz. A customer speaks for about two seconds,
 * is answered for two, and speaks again. Ears, voice and model are scripted and need no time, so that what is left of
 * a turn after the pause that ends it is ours. Goals: 3 % of a core a call, 150 MB and 5 MB a call, 50 ms of a turn in the
 * median and 100 ms at the 95th percentile with 20 calls.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { VoiceMeasure } from './voice/voice-calls.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1,10,20,40' },
    seconds: { type: 'string', default: '20' },
    'noise-cancellation': { type: 'boolean', default: false },
  },
});

const rows: Record<string, string | number>[] = [];
for (const calls of values.calls.split(',').map(Number)) {
  const measure = await measured(calls);
  rows.push({
    calls,
    'core %': percent(measure.coreShare),
    'core % a call': percent(measure.coreShare / calls),
    MB: Math.round(measure.rssMb),
    'MB a call': ((measure.rssMb - measure.idleRssMb) / calls).toFixed(1),
    turns: measure.turns,
    'response p50/p95 ms': `${measure.response.p50} / ${measure.response.p95}`,
    'platform p50/p95 ms': `${measure.platform.p50} / ${measure.platform.p95}`,
    'late ticks': measure.skippedTicks,
    failures: measure.failures,
  });
}
console.table(rows);

async function measured(calls: number): Promise<VoiceMeasure> {
  const script = fileURLToPath(new URL('./voice/voice-calls.ts', import.meta.url));
  const child = fork(script, [String(calls), values.seconds, String(values['noise-cancellation'])]);
  const ended = once(child, 'exit');
  const [measure] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error(`The process of ${calls} calls ended without a result.`);
    }),
  ])) as [VoiceMeasure];
  await ended;
  return measure;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
