import { initializeLogger, log } from '@livekit/agents';

/** The speech library refuses to work before its logger is set; who has set one keeps it. */
export function ensureAgentsLogger(): void {
  try {
    log();
  } catch {
    initializeLogger({ pretty: false, level: 'error' });
  }
}
