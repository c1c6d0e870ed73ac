import type { Page } from 'playwright-core';

/** What a visitor feels of a page, as web-vitals names it. */
export interface Vitals {
  /** Largest Contentful Paint: until the largest part of the first screen is there. */
  readonly lcpMs: number;
  /** Cumulative Layout Shift: how much moves by itself; no unit. */
  readonly cls: number;
  /** Interaction to Next Paint: the slowest answer to a key or a click. Of so few interactions it is the longest. */
  readonly inpMs: number;
}

/** In a page, before its own scripts: keeps what the browser tells. */
const WATCH = `(() => {
  const seen = (window.vitals = { lcpMs: 0, cls: 0, inpMs: 0 });
  const watch = (type, act, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(act)).observe({ type, buffered: true, ...options });
  watch('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime));
  watch('layout-shift', ({ value, hadRecentInput }) => (seen.cls += hadRecentInput ? 0 : value));
  watch('event', ({ interactionId, duration }) => {
    if (interactionId) seen.inpMs = Math.max(seen.inpMs, duration);
  }, { durationThreshold: 16 });
})()`;

/** Slow 4G as Lighthouse has it: 150 ms, 1.6 Mbit/s down, 750 kbit/s up; and a processor four times slower. */
export async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(WATCH);
}

export function vitalsOf(page: Page): Promise<Vitals> {
  return page.evaluate<Vitals>('window.vitals');
}
