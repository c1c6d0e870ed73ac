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

/**
 * In a page, before its own scripts: keeps what the browser tells.
 *
 * How long an interaction takes is measured here, from its event to the end of the next frame of the page: Chromium's own
 * entries of keys in a text area have no end before the next click, where the page itself does not scroll. A page of a fixed
 * box with a text area, and no script at all, has keys of 3 s by them.
 */
const WATCH = `(() => {
  const seen = (window.vitals = { lcpMs: 0, cls: 0, inpMs: 0 });
  const watch = (type, act, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(act)).observe({ type, buffered: true, ...options });
  watch('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime));
  watch('layout-shift', ({ value, hadRecentInput }) => (seen.cls += hadRecentInput ? 0 : value));
  const drawn = ({ timeStamp }) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (seen.inpMs = Math.max(seen.inpMs, performance.now() - timeStamp));
    // A message that is sent as a frame begins comes once it is laid out and painted.
    requestAnimationFrame(() => port2.postMessage(null));
  };
  for (const type of ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup']) addEventListener(type, drawn, true);
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
