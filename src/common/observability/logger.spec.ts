import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { Logger } from './logger.js';

function recording(): { logger: Logger; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8');
      done();
    },
  });
  return { logger: Logger.create('trace', stream), text: () => text };
}

describe('Logger', () => {
  it('writes a static message with its fields', () => {
    const { logger, text } = recording();
    logger.info('migrations applied', { count: 3 });
    expect(JSON.parse(text())).toMatchObject({ level: 30, msg: 'migrations applied', count: 3 });
  });

  it.each(['token', 'password', 'content', 'transcript', 'phoneNumber', 'variables', 'authorization'])(
    'never writes what stands under %s, at the top or one level down',
    (key) => {
      const { logger, text } = recording();
      logger.info('x', { [key]: 'CANARY', inner: { [key]: 'CANARY' } });
      expect(text()).not.toContain('CANARY');
    },
  );

  it('writes an error with its causes, and without the parameters of a failed query', () => {
    const { logger, text } = recording();
    const failed = new QueryFailedError('SELECT $1', ['CANARY'], new Error('no such table'));
    logger.error('unexpected error', { err: new Error('outer', { cause: failed }) });
    const { err } = JSON.parse(text());
    expect(err).toMatchObject({
      message: 'outer',
      cause: { type: 'QueryFailedError', message: 'no such table' },
    });
    expect(text()).not.toContain('CANARY');
  });

  it('keeps the context that the framework gives', () => {
    const { logger, text } = recording();
    logger.warn('Slow start', 'Bootstrap');
    expect(JSON.parse(text())).toMatchObject({ level: 40, msg: 'Slow start', context: 'Bootstrap' });
  });
});
