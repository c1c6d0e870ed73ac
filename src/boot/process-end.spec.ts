import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LogDestination } from '../common/observability/log-destination.js';
import { Logger } from '../common/observability/logger.js';
import { until } from '../../test/support/until.js';
import { ProcessEnd } from './process-end.js';
import type { OnDatabase, RunningProsa } from './start-prosa.js';

type Start = (onDatabase: OnDatabase) => Promise<RunningProsa>;

describe('the end of a process', () => {
  /** What happened, in its order. */
  let events: string[];
  let signal: (name: string) => void;
  let end: ProcessEnd;
  const database = { stop: async () => void events.push('database stopped') };
  const prosa = { stop: async () => void events.push('drained') } as RunningProsa;

  beforeEach(() => {
    events = [];
    const listeners = new Map<unknown, () => void>();
    jest
      .spyOn(process, 'on')
      .mockImplementation(
        (name: unknown, listener: unknown) => listeners.set(name, listener as () => void) && process,
      );
    jest.spyOn(process, 'exit').mockImplementation((code) => events.push(`exit ${code}`) as never);
    signal = (name) => listeners.get(name)?.();
    const log = { close: () => Promise.resolve() } as unknown as LogDestination;
    const logger = Logger.create('silent');
    end = new ProcessEnd({
      logger,
      log,
      delayMs: 0,
      drainMs: 1_000,
      callDrainMs: 1_000,
      say: () => undefined,
    });
    end.watch();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each<[string, Start]>([
    [
      'while it waits for something',
      (onDatabase) => {
        onDatabase(Promise.resolve(database));
        return new Promise(() => undefined);
      },
    ],
    [
      'although it fails, as its database is gone',
      async (onDatabase) => {
        onDatabase(Promise.resolve(database));
        await until(() => events.length > 0);
        throw new Error('Connection terminated');
      },
    ],
  ])('ends a start at once at a signal, %s, and leaves no database behind', async (_when, start) => {
    let outcome = 'none';
    end.whileStarting(start).then(
      () => (outcome = 'started'),
      () => (outcome = 'failed'),
    );

    signal('SIGTERM');
    await until(() => events.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(events).toEqual(['database stopped', 'exit 0']);
    expect(outcome).toBe('none');
  });

  it('drains at a signal once the start is over', async () => {
    await end.whileStarting((onDatabase) => {
      onDatabase(Promise.resolve(database));
      return Promise.resolve(prosa);
    });

    signal('SIGTERM');
    await until(() => events.length === 2);

    expect(events).toEqual(['drained', 'exit 0']);
  });

  it('tells of a start that fails by itself', async () => {
    await expect(end.whileStarting(() => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    expect(events).toEqual([]);
  });
});
