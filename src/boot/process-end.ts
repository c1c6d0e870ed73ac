import type { LogDestination } from '../common/observability/log-destination.js';
import type { Logger } from '../common/observability/logger.js';
import type { OnDatabase, RunningProsa } from './start-prosa.js';

/** The exit code after an unexpected error; `npm start` restarts the product. */
export const UNEXPECTED_FAULT = 70;
/** The exit code of a start whose database stayed away; a later start may find it. */
export const DATABASE_AWAY = 75;

/** What is left of the log is written for at most this long. */
const LOG_FLUSH_MS = 1_000;
/** Beyond what requests and jobs may take: closing connections, and the embedded database's own stop. */
const CLOSING_MS = 30_000;
/** A service manager signals every process of the service, and the supervisor hands the same signal on: that is one request. */
const ONE_REQUEST_MS = 500;

interface ProcessEndOptions {
  readonly logger: Logger;
  readonly log: LogDestination;
  /** How long requests are served on before the public port closes. */
  readonly delayMs: number;
  /** What requests, and then jobs, may take. */
  readonly drainMs: number;
  /** What calls may take whose lines live in this process. */
  readonly callDrainMs: number;
  readonly say: (line: string) => void;
}

/**
 * The end of the process: at a signal, when the supervisor is gone, or after an unexpected error. Each drains first;
 * during a start without anything to drain, it ends the start at once. After an unexpected error the state of the
 * process is unknown, so it ends even if the drain does not.
 */
export class ProcessEnd {
  private prosa: RunningProsa | null = null;
  private database: Parameters<OnDatabase>[0] | null = null;
  private isEnding = false;
  private signalledAtMs = 0;

  constructor(private readonly options: ProcessEndOptions) {}

  /**
   * Before the start: from here on no fault, no lost supervisor and no signal goes unnoticed. The first process of a container
   * is sent no signal that it does not listen for.
   */
  watch(): void {
    process.on('uncaughtException', (err, origin) => {
      this.options.logger.fatal('unexpected fault', { err, origin });
      void this.end('Unexpected fault', UNEXPECTED_FAULT);
    });
    if (process.send) {
      // The supervisor was killed while this process loaded its code. Nothing runs yet, and no process is left to end it.
      if (!process.connected) process.exit(0);
      process.on('disconnect', () => void this.end('The supervisor is gone', 0));
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => this.signalled(signal));
    }
  }

  /**
   * Runs the start, after which there is something to drain. When the process ends during the start, its result is
   * dropped.
   */
  async whileStarting(start: (onDatabase: OnDatabase) => Promise<RunningProsa>): Promise<RunningProsa> {
    try {
      const prosa = await start((database) => void (this.database = database));
      if (!this.isEnding) return (this.prosa = prosa);
    } catch (error) {
      if (!this.isEnding) throw error;
    }
    return new Promise(() => undefined);
  }

  private signalled(signal: NodeJS.Signals): void {
    const nowMs = performance.now();
    if (!this.isEnding) {
      this.signalledAtMs = nowMs;
      void this.end(signal, 0);
      return;
    }
    // A second signal means: now.
    if (nowMs - this.signalledAtMs > ONE_REQUEST_MS) process.exit(1);
  }

  private async end(reason: string, exitCode: number): Promise<void> {
    if (this.isEnding) return;
    this.isEnding = true;
    const { delayMs, drainMs, callDrainMs, logger, log, say } = this.options;
    const longestMs = delayMs + callDrainMs + 2 * drainMs + CLOSING_MS;
    const atTheLatest = setTimeout(() => process.exit(exitCode || 1), longestMs).unref();
    let code = exitCode;
    try {
      say(`${reason}: ${this.prosa ? 'finishing what is running' : 'ending the start'}…`);
      await (this.prosa ? this.prosa.stop() : this.stopDatabase());
      say('Stopped.');
    } catch (error) {
      logger.fatal('shutdown failed', { err: error });
      code ||= 1;
    }
    await log.close(LOG_FLUSH_MS);
    clearTimeout(atTheLatest);
    process.exit(code);
  }

  /** It is a process of its own, which would outlive this one. */
  private async stopDatabase(): Promise<void> {
    // One that does not start tells so by itself.
    const database = await this.database?.catch(() => null);
    await database?.stop();
  }
}
