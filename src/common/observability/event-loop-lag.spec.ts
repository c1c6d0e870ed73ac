import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Logger } from './logger.js';
import { MetricsService } from './metrics.service.js';

const valueOf = (text: string, name: string) =>
  Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1]);

it('the lag of the event loop excludes the time between two samples and starts again with each reading', async () => {
  const metrics = new MetricsService(Logger.create('silent'));
  await sleep(600);
  const untilMs = performance.now() + 700;
  while (performance.now() < untilMs);
  await sleep(600);
  const blocked = await metrics.read();
  expect(valueOf(blocked, 'max')).toBeGreaterThan(0.45);
  expect(valueOf(blocked, 'p50')).toBeLessThan(0.1);
  await sleep(500);
  expect(valueOf(await metrics.read(), 'max')).toBeLessThan(0.45);
});
