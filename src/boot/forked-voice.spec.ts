import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { configFrom } from '../config/config-from.js';
import { parseEnvironment } from '../config/environment.js';
import { environmentOfVoice } from './forked-voice.js';

const KEY = Buffer.alloc(32).toString('base64');

describe('the environment of a forked voice process', () => {
  const before = { ...process.env };

  beforeEach(() => {
    process.env.OPERATIONS_PORT = '9000';
    process.env.DOCS = 'operations';
  });

  afterEach(() => {
    process.env = before;
  });

  it('is one that it can start with where the documentation is at the operations port', () => {
    const config = configFrom(parseEnvironment({ OPERATIONS_PORT: '9000', DOCS: 'operations' }));
    const environment = environmentOfVoice(
      { config, databaseUrl: 'postgres://h/d', encryptionKeys: [KEY], say: () => undefined },
      2,
    );
    expect(parseEnvironment(environment)).toMatchObject({
      PROSA_ROLES: ['voice'],
      DATABASE_URL: 'postgres://h/d',
      PORT: 9000 + 1,
      OPERATIONS_PORT: undefined,
      DOCS: 'off',
    });
  });
});
