import { describe, expect, it } from '@jest/globals';
import { Logger } from '../../../common/observability/logger.js';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { TurnMetricsService } from './turn-metrics.service.js';

describe('TurnMetricsService', () => {
  it('shows each part of the response time, and leaves out unmeasured parts', async () => {
    const metrics = new MetricsService(Logger.create('silent'));
    new TurnMetricsService(metrics).took({
      atMs: 4_000,
      responseMs: 620,
      endpointingMs: 300,
      recognitionMs: null,
      modelMs: 200,
      synthesisMs: 90,
      platformMs: 30,
    });
    const shown = await metrics.read();
    const sumOf = (part: string) =>
      new RegExp(`^prosa_call_turn_seconds_sum\\{part="${part}"\\} (\\S+)$`, 'm').exec(shown)?.[1];
    expect(sumOf('response')).toBe('0.62');
    expect(sumOf('platform')).toBe('0.03');
    expect(sumOf('recognition')).toBeUndefined();
    expect(shown).toContain('prosa_call_turn_seconds_bucket{le="0.75",part="response"} 1');
    expect(shown).toContain('prosa_call_turn_seconds_bucket{le="0.5",part="response"} 0');
  });
});
