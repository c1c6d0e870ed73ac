import { describe, expect, it } from '@jest/globals';
import { type EndpointHealth, HEALTHY, healthAfter, type Verdict } from './endpoint-health.js';

const OPEN_MS = 30_000;
const HOUR_MS = 3_600_000;

/** An endpoint under a clock of its own. */
class Endpoint {
  nowMs = Date.UTC(2026, 2, 1);
  health: EndpointHealth = HEALTHY;

  try(verdict: Verdict): this {
    this.health = healthAfter(this.health, verdict, new Date(this.nowMs), OPEN_MS);
    return this;
  }

  times(count: number, verdict: Verdict): this {
    for (let i = 0; i < count; i++) this.try(verdict);
    return this;
  }

  wait(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  get breaker(): 'closed' | 'open' | 'half-open' {
    const { openUntil } = this.health;
    if (!openUntil) return 'closed';
    return openUntil.getTime() > this.nowMs ? 'open' : 'half-open';
  }
}

describe('breaker of an endpoint', () => {
  it('opens at the tenth failure in a row', () => {
    const endpoint = new Endpoint().times(20, 'success').times(9, 'failure');
    expect(endpoint.breaker).toBe('closed');
    expect(endpoint.try('failure').breaker).toBe('open');
  });

  it('opens at 70 % of at least ten tries within five minutes', () => {
    const endpoint = new Endpoint();
    for (const verdict of ['failure', 'failure', 'success', 'failure', 'failure', 'success'] as const) {
      endpoint.try(verdict).wait(20_000);
    }
    endpoint.try('success').times(2, 'failure');
    expect(endpoint.breaker).toBe('closed');
    expect(endpoint.try('failure').breaker).toBe('open');
  });

  it('stays closed when two of three tries fail', () => {
    const endpoint = new Endpoint();
    for (let i = 0; i < 100; i++) endpoint.try('success').times(2, 'failure').wait(1_000);
    expect(endpoint.breaker).toBe('closed');
  });

  it('forgets failures of an earlier window', () => {
    const endpoint = new Endpoint().times(8, 'failure').try('success').wait(301_000);
    expect(endpoint.times(9, 'failure').breaker).toBe('closed');
  });

  it('lets a probe through after its time, and closes when that succeeds', () => {
    const endpoint = new Endpoint().times(10, 'failure').wait(OPEN_MS - 1);
    expect(endpoint.breaker).toBe('open');
    expect(endpoint.wait(1).breaker).toBe('half-open');
    expect(endpoint.try('success').breaker).toBe('closed');
    expect(endpoint.try('failure').breaker).toBe('closed');
  });

  it('opens again when the probe fails, also in another window', () => {
    const endpoint = new Endpoint().times(10, 'failure').wait(HOUR_MS).try('failure');
    expect(endpoint.breaker).toBe('open');
    expect(endpoint.wait(OPEN_MS).breaker).toBe('half-open');
  });

  it('is not held open by tries that were under way when it opened', () => {
    const endpoint = new Endpoint().times(10, 'failure').wait(15_000).times(5, 'failure');
    expect(endpoint.wait(15_000).breaker).toBe('half-open');
  });
});

describe('switching an endpoint off', () => {
  it('happens after 120 hours of nothing but failures', () => {
    const endpoint = new Endpoint().try('failure');
    for (let hour = 1; hour < 120; hour++)
      expect(endpoint.wait(HOUR_MS).try('failure').health.disabledAt).toBeNull();
    endpoint.wait(HOUR_MS).try('failure');
    expect(endpoint.health.disabledBecause).toBe('failing');
    expect(endpoint.health.disabledAt).toEqual(new Date(endpoint.nowMs));
  });

  it('begins to count anew with every success', () => {
    const endpoint = new Endpoint();
    for (let day = 0; day < 30; day++) {
      for (let hour = 0; hour < 119; hour++) endpoint.wait(HOUR_MS).try('failure');
      endpoint.try('success');
    }
    expect(endpoint.health.disabledAt).toBeNull();
  });

  it('happens at once with an answer 410, and no later answer changes it', () => {
    const endpoint = new Endpoint().try('success').try('gone');
    expect(endpoint.health.disabledBecause).toBe('gone');
    const disabled = endpoint.health;
    expect(endpoint.wait(1_000).try('success').health).toEqual(disabled);
  });
});
