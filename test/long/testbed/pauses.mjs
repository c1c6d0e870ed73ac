// Loaded before the product: writes down each pause of the event loop over 40 ms, with what took it. Where `cpuMs` and `gcMs` are far
// below `ms`, the process was not running: it waited for a disk, or for a turn on the processor (`preempted`).
import { appendFileSync } from 'node:fs';
import { PerformanceObserver, performance } from 'node:perf_hooks';

const TICK_MS = 5;
const PAUSE_MS = 40;

const file = `${process.env.PROBE_FILE ?? ''}.pauses`;
const collections = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration, detail } of list.getEntries()) {
    collections.push({ startTime, duration, kind: detail?.kind });
  }
}).observe({ entryTypes: ['gc'] });

let last = { at: performance.now(), usage: process.resourceUsage() };
setInterval(() => {
  const at = performance.now();
  const before = last;
  const tookMs = at - before.at - TICK_MS;
  const usage = process.resourceUsage();
  last = { at, usage };
  if (tookMs < PAUSE_MS) return;
  // Entries of collections arrive in a later turn of the event loop.
  setTimeout(() => {
    const during = collections.filter(({ startTime }) => startTime >= before.at - 1 && startTime <= at);
    const sum = (name) => usage[name] - before.usage[name];
    const pause = {
      at: new Date().toISOString(),
      ms: Math.round(tookMs),
      cpuMs: Math.round((sum('userCPUTime') + sum('systemCPUTime')) / 1_000),
      systemMs: Math.round(sum('systemCPUTime') / 1_000),
      gcMs: Math.round(during.reduce((total, { duration }) => total + duration, 0)),
      gcKinds: [...new Set(during.map(({ kind }) => kind))],
      majorFaults: sum('majorPageFault'),
      minorFaults: sum('minorPageFault'),
      preempted: sum('involuntaryContextSwitches'),
    };
    appendFileSync(file, `${JSON.stringify(pause)}\n`);
  }, 20);
  collections.splice(0, Math.max(0, collections.length - 200));
}, TICK_MS).unref();
