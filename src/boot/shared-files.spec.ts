import { describe, expect, it } from '@jest/globals';
import { Logger } from '../common/observability/logger.js';
import { configFrom } from '../config/config-from.js';
import { parseEnvironment } from '../config/environment.js';
import { warnOfSeparateFiles } from './shared-files.js';

const S3 = {
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_BUCKET: 'prosa',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

/** Of the operator: split roles have no embedded one. */
const DATABASE = { DATABASE_URL: 'postgres://h/d', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };

function warningFor(environment: Record<string, string>): string {
  let text = '';
  const logger = Logger.create('warn', { write: (line) => (text += line) });
  const whole = { DATA_DIR: '/srv/prosa', ...DATABASE, ...environment };
  warnOfSeparateFiles(configFrom(parseEnvironment(whole)), logger);
  return text;
}

describe('what is said of stored files at start', () => {
  it.each(['api', 'worker', 'worker,voice'])('names the folder to a process of the roles %s', (roles) => {
    const line = warningFor({ PROSA_ROLES: roles });
    expect(line).toContain('need the same one, or an S3 bucket');
    expect(JSON.parse(line)).toMatchObject({ level: 40, folder: '/srv/prosa/files' });
  });

  it.each([{ PROSA_ROLES: 'api,worker' }, {}, { PROSA_ROLES: 'voice' }, { PROSA_ROLES: 'worker', ...S3 }])(
    'is nothing with %j',
    (environment) => {
      expect(warningFor(environment as Record<string, string>)).toBe('');
    },
  );
});
