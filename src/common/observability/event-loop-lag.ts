import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Each sample wakes the process: five a second tell of what callers notice, and an idle process is to stay idle. */
const SAMPLE_EVERY_MS = 200;
/** For the library's own sampling, which cannot be switched off: the longest that its timer takes. */
export const SAMPLE_NEVER_MS = 2 ** 31 - 1;

const LAGS: Readonly<Record<string, (samples: IntervalHistogram) => number>> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  p50: (samples) => samples.percentile(50),
  p90: (samples) => samples.percentile(90),
  p99: (samples) => samples.percentile(99),
};

/**
 * Replaces the library's metrics of the same names. Those wake the process a hundred times a second, and count the
 * time between two samples as lag. A reading covers the time since the one before.
 */
export function registerEventLoopLag(registry: Registry): void {
  registry.removeSingleMetric('nodejs_eventloop_lag_stddev_seconds');
  const samples = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
  samples.enable();
  const names = Object.keys(LAGS);
  for (const [name, lagOf] of Object.entries(LAGS)) {
    registry.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`);
    const gauge: Gauge = new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `How late the event loop runs what is due: ${name}, since the last reading`,
      registers: [registry],
      collect() {
        const lagMs = samples.count === 0 ? 0 : lagOf(samples) / 1e6 - SAMPLE_EVERY_MS;
        gauge.set(Math.max(0, lagMs) / 1_000);
        if (name === names.at(-1)) samples.reset();
      },
    });
  }
}
