import { type JobDefinition, MAINTENANCE_QUEUE } from './job-definition.js';

/** A job of the maintenance queue, as far as it decides on what runs. */
export interface MaintenanceJob {
  readonly name: string;
  /** When it was to run, in milliseconds of the calendar. */
  readonly dueAtMs: number;
}

/** Every kind of job of the product, and the queues and intervals that follow from them. */
export class JobCatalog {
  readonly queueNames: readonly string[];
  /**
   * The shortest interval, in milliseconds: the one that is planned in the queue, as each run of a job there costs a dozen
   * statements. All others run together with it, at the first such moment after their own. Zero when nothing runs by an interval.
   */
  readonly tickMs: number;

  constructor(readonly definitions: readonly JobDefinition[]) {
    this.queueNames = [
      ...new Set([...definitions.map((definition) => this.queueOf(definition)), MAINTENANCE_QUEUE]),
    ];
    const intervals = definitions.flatMap(({ everyMs }) => everyMs ?? []);
    this.tickMs = intervals.length === 0 ? 0 : Math.min(...intervals);
  }

  /** Names of the jobs that no worker runs in a paused installation. */
  get waitingWhilePaused(): ReadonlySet<string> {
    return new Set(
      this.definitions.filter(({ whilePaused }) => whilePaused !== 'runs').map(({ name }) => name),
    );
  }

  /** Where a job waits once it is enqueued. */
  queueOf({ name, isSweep }: JobDefinition): string {
    return isSweep ? MAINTENANCE_QUEUE : name;
  }

  get tickName(): string {
    return this.intervalName(this.tickMs);
  }

  /** The name of a job for every definition with an interval. */
  get allIntervalsName(): string {
    return 'all-intervals';
  }

  /** Whether a job comes from a schedule of an earlier release, which planned each interval by itself. */
  isObsoleteSchedule(jobName: string): boolean {
    return jobName !== this.tickName && this.definitionsOfInterval(jobName).length > 0;
  }

  /**
   * The definitions that a job of the maintenance queue runs: those whose interval is over, or one that was enqueued.
   * A late run includes the definitions of skipped runs.
   */
  definitionNamesOf({ name, dueAtMs }: MaintenanceJob, nowMs = Date.now()): readonly string[] {
    const recurring = this.definitions.filter(({ everyMs }) => everyMs !== undefined);
    if (name === this.allIntervalsName) return recurring.map((definition) => definition.name);
    if (name === this.tickName) return this.dueNames(recurring, dueAtMs, nowMs);
    return this.isObsoleteSchedule(name) ? this.definitionsOfInterval(name) : [name];
  }

  /** Those with a multiple of their interval since the run before. */
  private dueNames(recurring: readonly JobDefinition[], dueAtMs: number, nowMs: number): string[] {
    const leftOut = Math.max(0, Math.floor((nowMs - dueAtMs) / this.tickMs));
    const untilMs = dueAtMs + leftOut * this.tickMs;
    const beforeMs = dueAtMs - this.tickMs;
    return recurring
      .filter(({ everyMs = 0 }) => Math.floor(untilMs / everyMs) > Math.floor(beforeMs / everyMs))
      .map(({ name }) => name);
  }

  private intervalName(everyMs: number): string {
    return `every-${everyMs}-ms`;
  }

  private definitionsOfInterval(jobName: string): string[] {
    return this.definitions
      .filter(({ everyMs }) => everyMs !== undefined && this.intervalName(everyMs) === jobName)
      .map(({ name }) => name);
  }
}
