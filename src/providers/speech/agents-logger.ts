import { initializeLogger, log } from '@livekit/agents';

/**
 * The speech library refuses to work before its logger is set; who has set one keeps it. It is silent: what goes wrong is
 * reported by events, which end in the log of the product.
 */
export function ensureAgentsLogger(): void {
  try {
    log();
  } catch {
    initializeLogger({ pretty: false, level: 'silent' });
  }
}
