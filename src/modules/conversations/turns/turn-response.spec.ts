import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { ProcessingFailedError } from '../conversations.errors.js';
import { respondWithTurn } from './turn-response.js';

/** A reader of events that is two megabytes behind. */
class SlowReader extends EventEmitter {
  readonly written: string[] = [];
  readonly writableLength = 2_000_000;
  readonly writableEnded = false;
  headersSent = false;
  isOver = false;

  setHeader(): void {}

  writeHead(): void {
    this.headersSent = true;
  }

  write(text: string): boolean {
    this.written.push(text);
    setImmediate(() => this.emit('drain'));
    return false;
  }

  end(): void {
    this.isOver = true;
  }
}

describe('the events of a turn, for a reader that is far behind', () => {
  const request = { accepts: () => 'text/event-stream' } as unknown as Request;

  it.each([
    ['the answer', () => Promise.resolve({ message: 'Oi.', functionCalls: [] }), /^event: done\n.*"Oi\."/],
    ['the failure', () => Promise.reject(new ProcessingFailedError('timeout')), /^event: error\n/],
  ] as const)('end with %s', async (_what, outcome, last) => {
    const reader = new SlowReader();
    await respondWithTurn(
      request,
      reader as unknown as Response,
      () => Promise.resolve('sandbox'),
      (listener) => {
        for (const delta of ['O', 'i', '.']) listener?.onText(delta);
        return outcome();
      },
      () => Promise.resolve(),
    );
    expect(reader.written.at(-1)).toMatch(last);
    expect(reader.written).toHaveLength(2);
    expect(reader.isOver).toBe(true);
  });
});
