import { describe, expect, it } from '@jest/globals';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DatabaseUnavailableError } from './database-unavailable.error.js';

/** As the ORM throws what the driver threw. */
const failed = (code: string, message = '') =>
  new QueryFailedError('SELECT 1', [], Object.assign(new Error(message), { code }));

describe('an error of the database', () => {
  it.each([
    ['08006', '', 'lost'],
    ['57P01', '', 'lost'],
    ['57P03', '', 'lost'],
    ['25P03', '', 'lost'],
    ['57014', '', 'slow'],
    ['53100', '', 'resources'],
    ['53300', '', 'resources'],
    ['58030', '', 'resources'],
    ['EAI_AGAIN', '', 'lost'],
    ['ECONNREFUSED', '', 'lost'],
    ['ECONNRESET', '', 'lost'],
    ['EHOSTUNREACH', '', 'lost'],
    ['ENETUNREACH', '', 'lost'],
    ['ENOTFOUND', '', 'lost'],
    ['EPIPE', '', 'lost'],
    ['ETIMEDOUT', '', 'lost'],
    ['', 'timeout exceeded when trying to connect', 'slow'],
    ['', 'timeout expired', 'slow'],
    ['', 'Query read timeout', 'slow'],
    ['', 'Connection terminated unexpectedly', 'lost'],
    ['', 'Connection terminated after a Query read timeout', 'lost'],
    ['', 'Client was closed and is not queryable', 'lost'],
    ['', 'Client has encountered a connection error and is not queryable', 'lost'],
  ])('with code %j and message %j is an outage: %s', (code, message, outage) => {
    for (const error of [failed(code, message), Object.assign(new Error(message), { code })]) {
      const unavailable = DatabaseUnavailableError.from(error);
      expect(unavailable).toBeInstanceOf(DatabaseUnavailableError);
      expect(unavailable).toMatchObject({ outage, kind: 'unavailable', cause: error });
    }
  });

  it.each(['ENOENT', 'EAGAIN'])('of a Unix socket that cannot be reached (%s) is one', (code) => {
    const error = Object.assign(new Error('connect'), { code, syscall: 'connect' });
    expect(DatabaseUnavailableError.from(error)).toMatchObject({ outage: 'lost' });
    const ofFile = Object.assign(new Error('open'), { code, syscall: 'open' });
    expect(DatabaseUnavailableError.from(ofFile)).toBe(ofFile);
  });

  it('is one also when the ORM has let go of a lost connection', () => {
    expect(DatabaseUnavailableError.from(new QueryRunnerAlreadyReleasedError())).toMatchObject({
      outage: 'lost',
    });
  });

  it.each([
    failed('23505', 'duplicate key'),
    failed('40001'),
    failed('57000'),
    failed('58031'),
    failed('080061'),
    failed('x08006'),
    failed('', 'it said: Connection terminated'),
    failed('', 'it said: timeout exceeded when trying to connect'),
    new TypeError('fault'),
    Object.assign(new Error('number'), { code: 53100 }),
    { message: ['Query read timeout'] },
    'text',
    null,
    undefined,
  ])('is itself otherwise: %s', (error) => {
    expect(DatabaseUnavailableError.from(error)).toBe(error);
  });

  it('is wrapped once', () => {
    const unavailable = DatabaseUnavailableError.from(failed('ECONNRESET'));
    expect(DatabaseUnavailableError.from(unavailable)).toBe(unavailable);
  });
});
