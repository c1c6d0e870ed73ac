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
    'never writes the value of %s, at the top or one level down',
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

  it.each(['warn', 'error', 'debug', 'verbose', 'fatal', 'log'] as const)(
    'writes the fields of an object that the static logger passes on (%s)',
    (level) => {
      const { logger, text } = recording();
      logger[level](
        { msg: 'Speech provider failed', provider: 'azure', next: 'sandbox', token: 'CANARY' },
        'Speech',
      );
      expect(JSON.parse(text())).toMatchObject({
        msg: 'Speech provider failed',
        provider: 'azure',
        next: 'sandbox',
        context: 'Speech',
      });
      expect(text()).not.toMatch(/object Object|CANARY/);
    },
  );

  it('writes an error that the static logger passes on in place of a text', () => {
    const { logger, text } = recording();
    logger.error(new Error('the line is dead'), 'Speech');
    expect(JSON.parse(text())).toMatchObject({
      msg: 'the line is dead',
      err: { message: 'the line is dead' },
    });
  });

  it('writes what an object says that was thrown in place of an error', () => {
    const { logger, text } = recording();
    logger.warn('call went on after an error', { err: { type: 'stt_error', error: new Error('quota') } });
    expect(JSON.parse(text())).toMatchObject({ err: { message: 'quota' } });
    expect(text()).not.toContain('object Object');
  });

  it('writes the cause of an error under err', () => {
    const { logger, text } = recording();
    logger.warn({ msg: 'An utterance was not recognised', err: new Error('no words') }, 'Speech');
    expect(JSON.parse(text())).toMatchObject({ err: { type: 'Error', message: 'no words' } });
  });

  it('keeps the context that the framework gives', () => {
    const { logger, text } = recording();
    logger.warn('Slow start', 'Bootstrap');
    expect(JSON.parse(text())).toMatchObject({ level: 40, msg: 'Slow start', context: 'Bootstrap' });
  });
});
