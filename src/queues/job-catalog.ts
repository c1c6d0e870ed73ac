import { type JobDefinition, MAINTENANCE_QUEUE } from './job-definition.js';

/** Every kind of job of the product, and the queues and intervals that follow from them. */
export class JobCatalog {
  readonly queueNames: readonly string[];
  /** The intervals at which something runs, in milliseconds. */
  readonly intervals: readonly number[];

  constructor(readonly definitions: readonly JobDefinition[]) {
    this.queueNames = [
      ...new Set([...definitions.map((definition) => this.queueOf(definition)), MAINTENANCE_QUEUE]),
    ];
    this.intervals = [...new Set(definitions.flatMap(({ everyMs }) => everyMs ?? []))];
  }

  /** Where a job waits once somebody asks for it. */
  queueOf({ name, isSweep }: JobDefinition): string {
    return isSweep ? MAINTENANCE_QUEUE : name;
  }

  /** The job that an interval is: one for all definitions that share it, as each job costs a dozen statements. */
  intervalJobName(everyMs: number): string {
    return `every-${everyMs}-ms`;
  }

  /** What a job of the maintenance queue stands for: an interval, or a definition that was asked for. */
  definitionNamesOf(jobName: string): readonly string[] {
    const everyMs = this.intervals.find((interval) => this.intervalJobName(interval) === jobName);
    if (everyMs === undefined) return [jobName];
    return this.definitions.filter((definition) => definition.everyMs === everyMs).map(({ name }) => name);
  }
}
