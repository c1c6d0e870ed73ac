import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { buildProduct } from '../support/prosa-process.js';

const shell = promisify(execFile);

interface Outcome {
  readonly code: number;
  readonly said: string;
}

/** As `npm run <name> -- <argument>` runs it. */
async function run(name: string, argument: string): Promise<Outcome> {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [, ...words] = scripts[name]?.split(' ') ?? [];
  const { PATH = '', HOME = '' } = process.env;
  try {
    const { stdout, stderr } = await shell(process.execPath, [...words, argument], {
      env: {
        PATH,
        HOME,
        DATABASE_URL: 'postgres://127.0.0.1:1/nothing',
        ENCRYPTION_KEY: `${'A'.repeat(43)}=`,
      },
    });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

describe('the commands of npm run', () => {
  beforeAll(() => buildProduct(), 180_000);

  it.each([
    'account',
    'audit-log',
    'backup',
    'bench',
    'contract',
    'demo',
    'doctor',
    'build',
    'check',
    'module:new',
    'keys',
    'migrate',
    'plugin:new',
    'restore',
    'sandbox-carrier',
    'simulate',
    'test:calls',
    'test:faults',
    'test:fuzz',
    'test:livekit',
    'test:local-speech',
    'test:mutation',
    'test:node',
    'test:helm',
    'test:operate',
    'test:phone',
    'test:soak',
    'vector-index',
  ])(
    'tell how %s is used, and begin nothing',
    async (name) => {
      for (const option of ['--help', '-h']) {
        const { code, said } = await run(name, option);
        expect({ name, option, code, said }).toEqual({
          name,
          option,
          code: 0,
          said: expect.stringContaining(`npm run ${name}`),
        });
      }
    },
    30_000,
  );

  it.each([
    'account',
    'audit-log',
    'backup',
    'contract',
    'demo',
    'doctor',
    'keys',
    'migrate',
    'restore',
    'sandbox-carrier',
    'simulate',
    'test:faults',
    'vector-index',
  ])(
    'say of an option that %s does not have that there is none, without a trace',
    async (name) => {
      const { code, said } = await run(name, '--nope');
      expect({ name, code: code > 0 }).toEqual({ name, code: true });
      expect(said).not.toMatch(/^\s+at /m);
      if (name !== 'test:faults') expect(said).toContain("Unknown option '--nope'");
    },
    30_000,
  );
});
