import { afterEach, describe, expect, it } from '@jest/globals';
import {
  defineJob,
  definePlugin,
  Handles,
  Injectable,
  JobsService,
  Module,
  type Plugin,
  z,
} from '../../src/plugins/api.js';
import { JobWorkersService } from '../../src/queues/workers/job-workers.service.js';
import { TestApp } from '../support/app.js';
import { until } from '../support/until.js';

const jobNamed = (name: string) =>
  defineJob({
    name,
    schema: z.object({ id: z.number() }),
    retry: { attempts: 3, backoffMs: 10 },
    concurrency: 1,
  });
const printJob = jobNamed('office-print');
const scanJob = jobNamed('office-scan');

@Injectable()
class PrinterService {
  readonly runs: number[] = [];
  failures = 2;

  @Handles(printJob)
  async print({ id }: { id: number }): Promise<void> {
    this.runs.push(id);
    if (this.failures-- > 0) throw new Error('paper jam');
  }
}

@Module({ providers: [PrinterService] })
class OfficeModule {}

const plugin = (jobs: Plugin['jobs']) =>
  definePlugin({ name: 'office', prosa: '*', module: OfficeModule, jobs });

describe('Handlers of jobs', () => {
  let app: TestApp | undefined;
  const start = async (roles: string, jobs: Plugin['jobs']) => {
    app = await TestApp.start({ PROSA_ROLES: roles }, undefined, [plugin(jobs)]);
    return app.app;
  };

  afterEach(async () => {
    await app?.stop();
    app = undefined;
  });

  it('run in the worker role, again after an error as the definition says', async () => {
    const worker = await start('worker', [printJob]);
    const printer = worker.get(PrinterService);
    worker.get(JobsService).wake(printJob, { id: 5 });
    await until(async () => printer.runs.length === 3);
    expect(printer.runs).toEqual([5, 5, 5]);
    expect(printer.failures).toBe(-1);
  });

  it('are not looked for in the api role, so that a job without one does not stop its start', async () => {
    const api = await start('api', [printJob, scanJob]);
    expect(() => api.get(JobWorkersService, { strict: false })).toThrow();
  });
});
