import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import type { JobCatalog } from '../job-catalog.js';
import type { JobsService } from '../jobs.service.js';
import type { JobHandler } from './job-handler.js';

/** Room for a run of each interval, its successor, and what is asked for in between: no long run stops the others. */
export const MAINTENANCE_CONCURRENCY = 32;
/**
 * Definitions that are due at the same moment begin one after another, so that they share a connection instead of opening
 * one each. A long one holds up the next by no more than this.
 */
const HEAD_START_MS = 50;

/** Runs of one definition in this process. */
interface Runs {
  readonly current: Promise<void>;
  readonly isNextWaiting: boolean;
}

/** Runs the handlers of jobs whose interval is over, and of sweeps that were woken up. */
export class MaintenanceRuns {
  private readonly runs = new Map<string, Runs>();

  constructor(
    private readonly handlers: ReadonlyMap<string, Pick<JobHandler, 'run'>>,
    private readonly catalog: JobCatalog,
    private readonly jobs: Pick<JobsService, 'unschedule'>,
    /** Names of definitions that do not run in this process. */
    private readonly waiting: ReadonlySet<string> = new Set(),
  ) {}

  /** One that fails does not keep the others that are due from running. */
  async process(job: Pick<Job, 'name' | 'id' | 'timestamp'>): Promise<void> {
    const { name } = job;
    if (this.catalog.isObsoleteSchedule(name)) await this.jobs.unschedule(name);
    const runs: Promise<void>[] = [];
    for (const each of this.catalog.definitionNamesOf({ name, dueAtMs: dueAtMsOf(job) })) {
      if (this.waiting.has(each)) continue;
      const run = this.run(each);
      runs.push(run);
      await Promise.race([run.catch(() => undefined), sleep(HEAD_START_MS)]);
    }
    const results = await Promise.allSettled(runs);
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} jobs of ${name} failed`);
  }

  /**
   * One definition runs once at a time in a process. A request during a run waits for its end and then runs once
   * more. Further requests share that second run.
   */
  private async run(name: string): Promise<void> {
    const runs = this.runs.get(name);
    if (runs?.isNextWaiting) return;
    const current = this.runAfter(runs?.current, name);
    this.runs.set(name, { current, isNextWaiting: runs !== undefined });
    try {
      await current;
    } finally {
      if (this.runs.get(name)?.current === current) this.runs.delete(name);
    }
  }

  private async runAfter(previous: Promise<void> | undefined, name: string): Promise<void> {
    if (previous) {
      await previous.catch(() => undefined);
      const runs = this.runs.get(name);
      if (runs) this.runs.set(name, { ...runs, isNextWaiting: false });
    }
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`no handler for ${name}`);
    await handler.run({});
  }
}

/** The queue names each run of a schedule after its moment. */
function dueAtMsOf({ id, timestamp }: Pick<Job, 'id' | 'timestamp'>): number {
  const [, dueAtMs] = /^repeat:.*:(\d+)$/.exec(id ?? '') ?? [];
  return dueAtMs === undefined ? timestamp : Number(dueAtMs);
}
