import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '../../../common/observability/logger.js';
import type { CallFunctionCall } from './call-function-call.js';
import type { CallFunctionCallsRepository } from './call-function-calls.repository.js';
import { CallFunctionCallsService } from './call-function-calls.service.js';

const CALL = { id: 1, userId: 2 };
const action = (name: string, atMs: number) => {
  return { type: 'function-call', call: { name, arguments: {}, result: { ok: true } }, atMs } as const;
};

function setUp(fails = false) {
  const kept: CallFunctionCall[] = [];
  const repository: Pick<CallFunctionCallsRepository, 'add' | 'list'> = {
    add: async (_userId, _callId, called) => {
      if (fails) throw new Error('away');
      kept.push(called);
    },
    list: async () => kept,
  };
  const service = new CallFunctionCallsService(
    repository as CallFunctionCallsRepository,
    Logger.create('silent'),
  );
  return { kept, service, notes: service.of(CALL) };
}

describe('CallFunctionCallsService', () => {
  it('keeps what tools answer, also after the end of the call', async () => {
    const { kept, notes } = setUp();
    notes.note(action('book', 1_200.4));
    notes.note({ type: 'reengagement', atMs: 1_300 });
    let answer: () => void = () => {};
    const tools = new Promise<void>((resolve) => (answer = resolve));
    let isDone = false;
    const done = notes.whenDone(tools).then(() => (isDone = true));
    await Promise.resolve();
    notes.note(action('price', 9_000));
    expect(isDone).toBe(false);
    answer();
    await done;
    expect(kept.map(({ name, at_ms: atMs }) => [name, atMs])).toEqual([
      ['book', 1_200],
      ['price', 9_000],
    ]);
  });

  it('waits for nothing where no tool runs, and outlives a database that is away', async () => {
    const { notes } = setUp(true);
    notes.note(action('book', 10));
    await expect(notes.whenDone(undefined)).resolves.toBeUndefined();
  });

  it('waits for ten seconds more at the end of the process, and for nothing after that', async () => {
    jest.useFakeTimers();
    try {
      const { service, notes } = setUp();
      let isDone = false;
      const done = notes.whenDone(new Promise(() => {})).then(() => (isDone = true));
      service.limitWaits();
      await jest.advanceTimersByTimeAsync(9_999);
      expect(isDone).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      await done;
      await notes.whenDone(new Promise(() => {}));
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends its wait for a tool that fails', async () => {
    const { notes } = setUp();
    await expect(notes.whenDone(Promise.reject(new Error('away')))).resolves.toBeUndefined();
  });
});
