import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { environmentSchema } from './environment.js';
import { overFiles, SECRETS, withSecretFiles } from './secret-files.js';

/** Names of values that open something; the rest are addresses, limits and files. */
const SECRET_NAME = /(KEY|SECRET|TOKEN|PASSWORD|KEY_ID)$/;
/** The key of a certificate is a file already. */
const FILES_ALREADY = ['SIP_TLS_KEY'];

describe('secrets in files', () => {
  let folder: string;
  const fileOf = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'prosa-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are possible for every secret of the environment', () => {
    const secrets = Object.keys(environmentSchema.shape).filter((name) => SECRET_NAME.test(name));
    const known: readonly string[] = [...SECRETS, ...FILES_ALREADY];
    expect(secrets.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('are read without the line break at their end', () => {
    const key = fileOf('key', 'sk-1\n');
    expect(withSecretFiles({ PORT: '1', OPENAI_API_KEY_FILE: key })).toEqual({
      PORT: '1',
      OPENAI_API_KEY_FILE: key,
      OPENAI_API_KEY: 'sk-1',
    });
  });

  it('count as not named where the variable is empty', () => {
    expect(withSecretFiles({ DATABASE_URL: 'postgres://db', DATABASE_URL_FILE: '' })).toEqual({
      DATABASE_URL: 'postgres://db',
      DATABASE_URL_FILE: '',
    });
  });

  it('stop the start with a sentence for each that cannot be used', () => {
    const empty = fileOf('empty', '\n');
    const key = fileOf('other', 'sk-2');
    const missing = join(folder, 'missing');
    const source = {
      OPENAI_API_KEY: 'sk-1',
      OPENAI_API_KEY_FILE: key,
      DATABASE_URL_FILE: missing,
      TWILIO_AUTH_TOKEN_FILE: empty,
    };
    expect(() => withSecretFiles(source)).toThrow(
      'Wrong configuration, nothing was started:\n' +
        `  DATABASE_URL_FILE: ${missing} cannot be read (ENOENT)\n` +
        '  OPENAI_API_KEY: is set, and OPENAI_API_KEY_FILE too; remove one of them\n' +
        `  TWILIO_AUTH_TOKEN_FILE: ${empty} is empty`,
    );
  });

  it('give way to what a process gives its child', () => {
    const inherited = { DATABASE_URL_FILE: join(folder, 'missing') };
    const child = { ...inherited, ...overFiles({ DATABASE_URL: 'postgres://db', PORT: '0' }) };
    expect(withSecretFiles(child)).toMatchObject({ DATABASE_URL: 'postgres://db', PORT: '0' });
  });
});
