import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { defineJob, defineSweep } from '../job-definition.js';
import { findHandlers, handlersByName } from './find-handlers.js';
import { Handles } from './handles.js';

const printJob = defineJob({
  name: 'print',
  schema: z.object({ page: z.number() }),
  retry: { attempts: 2, backoffMs: 1 },
  concurrency: 1,
});
const sweepInkJob = defineSweep({ name: 'sweep-ink', everyMs: 5_000 });

@Injectable()
class PrinterService {
  readonly pages: number[] = [];

  get isReady(): boolean {
    throw new Error('discovery reads no accessors');
  }

  @Handles(printJob)
  async print({ page }: { page: number }): Promise<number> {
    return this.pages.push(page);
  }
}

@Injectable()
class InkService {
  @Handles(sweepInkJob)
  async sweep(): Promise<void> {}
}

@Injectable()
class CopierService {
  @Handles(printJob)
  async copy(): Promise<void> {}
}

async function discovered(...providers: Provider[]) {
  @Module({ providers })
  class OfficeModule {}
  @Module({ imports: [DiscoveryModule, OfficeModule] })
  class RootModule {}
  const app = await NestFactory.createApplicationContext(RootModule, { logger: false });
  return { app, handlers: findHandlers(app.get(DiscoveryService)) };
}

describe('Discovery of job handlers', () => {
  it('finds the methods that @Handles marks, and gives them the payload', async () => {
    const { app, handlers } = await discovered(PrinterService, InkService);
    expect(handlers.map(({ definition, place }) => [definition.name, place])).toEqual([
      ['print', 'PrinterService.print in OfficeModule'],
      ['sweep-ink', 'InkService.sweep in OfficeModule'],
    ]);
    await handlers[0]?.run({ page: 3 });
    expect(app.get(PrinterService, { strict: false }).pages).toEqual([3]);
  });

  it('fails a job whose payload does not fit the schema', async () => {
    const { app, handlers } = await discovered(PrinterService);
    await expect(handlers[0]?.run({ page: 'three' })).rejects.toThrow('expected number');
    expect(app.get(PrinterService, { strict: false }).pages).toEqual([]);
  });

  it('counts a provider that has two tokens once', async () => {
    const { handlers } = await discovered(PrinterService, {
      provide: 'printer',
      useExisting: PrinterService,
    });
    expect(handlersByName([printJob], handlers).size).toBe(1);
  });
});

describe('The check of job handlers', () => {
  it('names each job without a handler', async () => {
    const { handlers } = await discovered(InkService);
    expect(() => handlersByName([printJob, sweepInkJob], handlers)).toThrow(
      'The job print has no handler: add @Handles with its definition to a method of a provider that the worker role loads.',
    );
    expect(() => handlersByName([printJob, sweepInkJob], [])).toThrow(
      'The jobs print, sweep-ink have no handlers',
    );
  });

  it('names the job and both places of a second handler', async () => {
    const { handlers } = await discovered(PrinterService, CopierService);
    expect(() => handlersByName([printJob], handlers)).toThrow(
      'The job print has two handlers, PrinterService.print in OfficeModule and CopierService.copy in OfficeModule: ' +
        'remove one of them, or provide the class in one module only.',
    );
  });

  it('names a handler whose job no feature lists', async () => {
    const { handlers } = await discovered(InkService);
    expect(() => handlersByName([], handlers)).toThrow(
      'InkService.sweep in OfficeModule handles the job sweep-ink, which no feature lists: add its definition to `jobs`.',
    );
  });
});

describe('The type of @Handles', () => {
  it('refuses a method whose parameter is not the payload of the job', () => {
    class Wrong {
      // @ts-expect-error The payload has a number.
      @Handles(printJob)
      async print(_payload: { page: string }): Promise<void> {}

      // @ts-expect-error The payload is an object.
      @Handles(printJob)
      async printPage(_page: number): Promise<void> {}

      // @ts-expect-error A handler is asynchronous.
      @Handles(printJob)
      printNow(_payload: { page: number }): void {}
    }
    expect(Object.getOwnPropertyNames(Wrong.prototype)).toContain('printPage');
  });
});
