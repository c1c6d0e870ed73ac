import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { Logger as NestLogger } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { logWorker } from './log-worker.js';

describe('a queue that is away', () => {
  let text = '';

  beforeAll(() => {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString('utf8');
        done();
      },
    });
    NestLogger.overrideLogger(Logger.create('info', stream));
  });
  afterAll(() => NestLogger.overrideLogger(['fatal']));

  it('is written to the log once by all workers together, with what the driver says', () => {
    const workers = ['dial', 'mail', 'maintenance'].map((queue) => {
      const worker = new EventEmitter();
      logWorker(worker as never, queue);
      return worker;
    });
    for (let time = 0; time < 50; time++) {
      for (const worker of workers) worker.emit('error', new Error('connect ECONNREFUSED'));
    }
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      msg: 'queue connection',
      err: { type: 'QueueUnavailableError', cause: { message: 'connect ECONNREFUSED' } },
    });
  });
});
