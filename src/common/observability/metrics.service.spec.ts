import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from './logger.js';
import { MetricsService } from './metrics.service.js';

describe('the metrics', () => {
  let metrics: MetricsService;

  beforeEach(() => {
    metrics = new MetricsService({ linesDropped: 0 } as unknown as Logger);
    metrics.gauge({
      name: 'prosa_good',
      help: 'Good',
      labelNames: [],
      read: () => Promise.resolve([{ labels: {}, value: 7 }]),
    });
  });

  it('are shown within two seconds without a measure that hangs, and ask for it once', async () => {
    let release = (_value: number) => {};
    const read = jest.fn(
      () =>
        new Promise<{ labels: Record<string, string>; value: number }[]>((resolve) => {
          release = (value) => resolve([{ labels: { name: 'a' }, value }]);
        }),
    );
    metrics.gauge({ name: 'prosa_slow', help: 'Slow', labelNames: ['name'], read });
    const startedAt = performance.now();
    for (const text of await Promise.all([metrics.read(), metrics.read()])) {
      expect(text).toMatch(/^prosa_good 7$/m);
      expect(text).not.toMatch(/^prosa_slow\{/m);
    }
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(read).toHaveBeenCalledTimes(1);
    release(3);
    await new Promise((resolve) => setImmediate(resolve));
    const later = metrics.read();
    release(4);
    expect(await later).toMatch(/^prosa_slow\{name="a"\} 4$/m);
  });

  it('are shown without a measure that cannot be taken', async () => {
    const read = () => Promise.reject(new Error('the database is away'));
    metrics.total({ name: 'prosa_broken_total', help: 'Broken', labelNames: ['name'], read });
    metrics.gauge({ name: 'prosa_unknown', help: 'No labels', labelNames: [], read });
    const text = await metrics.read();
    expect(text).toMatch(/^prosa_good 7$/m);
    expect(text).not.toMatch(/^prosa_unknown /m);
    expect(text).not.toMatch(/^prosa_broken_total\{/m);
  });
});
