import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';

/** The part of an endpoint's row that tries change. */
export type EndpointHealth = Pick<
  WebhookEndpoint,
  | 'disabledAt'
  | 'disabledBecause'
  | 'failingSince'
  | 'consecutiveFailures'
  | 'windowStartedAt'
  | 'windowAttempts'
  | 'windowFailures'
  | 'openUntil'
>;

/** How a try ended: `gone` is an answer 410, by which a receiver asks for an end. */
export type Verdict = 'success' | 'failure' | 'gone';

/** Numbers of Convoy's breaker; the time until an endpoint is switched off is Svix's. */
const MAX_FAILURES_IN_A_ROW = 10;
const WINDOW_MS = 5 * 60_000;
const MIN_WINDOW_ATTEMPTS = 10;
const MAX_FAILURE_RATE = 0.7;
const DISABLE_AFTER_MS = 120 * 3_600_000;

/** How long the breaker stays open before a probe. */
export const BREAKER_OPEN_MS = 30_000;

export const HEALTHY: EndpointHealth = {
  disabledAt: null,
  disabledBecause: null,
  failingSince: null,
  consecutiveFailures: 0,
  windowStartedAt: null,
  windowAttempts: 0,
  windowFailures: 0,
  openUntil: null,
};

/**
 * The endpoint after one more try. A success closes the breaker. It opens after ten failures in a row, at 70 % of at
 * least ten tries within five minutes, and when its probe fails. Only failures for 120 hours, or one answer 410,
 * switch the endpoint off; only its owner switches it on again.
 *
 * @param openMs how long an opened breaker stays open
 */
export function healthAfter(
  health: EndpointHealth,
  verdict: Verdict,
  now: Date,
  openMs: number,
): EndpointHealth {
  if (health.disabledAt) return health;
  if (verdict === 'success') return afterSuccess(health, now);
  const failed = afterFailure(health, now, openMs);
  if (verdict === 'gone') return { ...failed, disabledAt: now, disabledBecause: 'gone' };
  const failingMs = now.getTime() - (failed.failingSince ?? now).getTime();
  return failingMs < DISABLE_AFTER_MS ? failed : { ...failed, disabledAt: now, disabledBecause: 'failing' };
}

function afterSuccess(health: EndpointHealth, now: Date): EndpointHealth {
  // The window that opened the breaker has served: with its failures the next one would open it again.
  if (health.openUntil) return HEALTHY;
  return { ...health, ...counted(health, now, 0), failingSince: null, consecutiveFailures: 0 };
}

function afterFailure(health: EndpointHealth, now: Date, openMs: number): EndpointHealth {
  const window = counted(health, now, 1);
  const consecutiveFailures = health.consecutiveFailures + 1;
  const trips =
    health.openUntil !== null ||
    consecutiveFailures >= MAX_FAILURES_IN_A_ROW ||
    (window.windowAttempts >= MIN_WINDOW_ATTEMPTS &&
      window.windowFailures >= window.windowAttempts * MAX_FAILURE_RATE);
  return {
    ...health,
    ...window,
    consecutiveFailures,
    failingSince: health.failingSince ?? now,
    openUntil: trips ? openedUntil(health, now, openMs) : null,
  };
}

/** Tries that were under way when the breaker opened do not keep it open for longer. */
function openedUntil({ openUntil }: EndpointHealth, now: Date, openMs: number): Date {
  return openUntil && openUntil > now ? openUntil : new Date(now.getTime() + openMs);
}

function counted(
  { windowStartedAt, windowAttempts, windowFailures }: EndpointHealth,
  now: Date,
  failures: 0 | 1,
) {
  const isOver = windowStartedAt === null || now.getTime() - windowStartedAt.getTime() >= WINDOW_MS;
  return isOver
    ? { windowStartedAt: now, windowAttempts: 1, windowFailures: failures }
    : { windowStartedAt, windowAttempts: windowAttempts + 1, windowFailures: windowFailures + failures };
}
