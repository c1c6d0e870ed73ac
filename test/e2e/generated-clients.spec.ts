import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiOfRoutes } from '../../src/boot/openapi-of-routes.js';

const run = promisify(execFile);
const MINUTES_10 = 600_000;

/** A generator of clients, and the commands that make a client of `openapi.json` in the working directory and compile it. */
interface Generator {
  readonly program: string;
  readonly commands: readonly (readonly [program: string, ...words: string[]])[];
}

const GENERATORS: readonly Generator[] = [
  {
    program: 'openapi-python-client',
    commands: [
      [
        'openapi-python-client',
        'generate',
        '--path',
        'openapi.json',
        '--output-path',
        'python',
        '--meta',
        'none',
      ],
      ['python3', '-m', 'compileall', '-q', 'python'],
    ],
  },
  {
    program: 'openapi-generator-cli',
    commands: [
      // It writes the parameters of webhooks without types. No client sends these, and its package does not import the file.
      ['mkdir', 'generator'],
      ['sh', '-c', "echo '**/webhook_events_api.py' > generator/.openapi-generator-ignore"],
      ['openapi-generator-cli', 'generate', '-g', 'python', '-i', 'openapi.json', '-o', 'generator'],
      ['python3', '-m', 'compileall', '-q', 'generator'],
    ],
  },
  {
    program: 'oapi-codegen',
    commands: [
      ['go', 'mod', 'init', 'prosa.example/client'],
      [
        'oapi-codegen',
        '-generate',
        'types,client,skip-prune',
        '-package',
        'prosa',
        '-o',
        'client.go',
        'openapi.json',
      ],
      ['go', 'mod', 'tidy'],
      ['go', 'build', './...'],
    ],
  },
];

const isHere = (program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

describe('a client that a generator makes of the OpenAPI document', () => {
  let folder: string;
  let document: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-generated-'));
    document = JSON.stringify(await openApiOfRoutes());
  }, MINUTES_10);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  for (const { program, commands } of GENERATORS) {
    const isMissing = !isHere(program);
    const title = `compiles: ${program}${isMissing ? ', skipped because it is not installed' : ''}`;
    (isMissing ? it.skip : it)(
      title,
      async () => {
        const cwd = await mkdtemp(join(folder, 'client-'));
        await writeFile(join(cwd, 'openapi.json'), document);
        for (const [command, ...words] of commands) {
          const { stderr } = await run(command, words, { cwd, maxBuffer: 64 * 1024 * 1024 }).catch(
            (error: { stderr?: string; stdout?: string }) => {
              throw new Error(`${command}: ${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error });
            },
          );
          expect(stderr).not.toMatch(/SyntaxError/);
        }
      },
      MINUTES_10,
    );
  }
});
