import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

const RESULTS = 'node_modules/.cache/prosa/test-results.json';

/** The programs are scripts, which Jest does not load as modules. */
function run(args: readonly string[], cwd = '.') {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

describe('.ci/run, after failed tests', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-test-runs-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function filesToRepeat(failedByFile: Readonly<Record<string, number>>) {
    const path = join(folder, RESULTS);
    await mkdir(dirname(path), { recursive: true });
    const results = Object.entries(failedByFile).map(([file, failed]) => [
      file,
      { hash: '', tests: {}, last: { passed: 1, failed, skipped: 0 } },
    ]);
    await writeFile(path, JSON.stringify(Object.fromEntries(results)));
    return run([resolve('scripts/files-to-repeat.mjs')], folder);
  }

  it('repeats only the failed files that need real time', async () => {
    const failed = [
      'test/faults/sip-kill.spec.ts',
      'test/pages/widget.spec.ts',
      'test/voice/turns.spec.ts',
      'test/e2e/voice-process.spec.ts',
      'test/integration/campaign-stop.spec.ts',
      'packages/sip/src/user-agent.spec.ts',
      'src/voice/line/line-bridge.spec.ts',
    ];
    const results = {
      ...Object.fromEntries(failed.map((file) => [file, 1])),
      'test/voice/vendors.spec.ts': 0,
    };
    expect(await filesToRepeat(results)).toEqual({ status: 0, stdout: failed.join('\n'), stderr: '' });
  });

  it.each([
    'src/modules/leads/leads.service.spec.ts',
    'test/contract/calls.contract.spec.ts',
    'test/architecture/rooms.spec.ts',
  ])('fails at once with the name of a failed file that needs no real time: %s', async (file) => {
    expect(await filesToRepeat({ 'test/pages/widget.spec.ts': 1, [file]: 2 })).toEqual({
      status: 1,
      stdout: '',
      stderr: `These files have failed and are not repeated:\n${file}`,
    });
  });

  it('fails when the run itself has failed', async () => {
    expect(await filesToRepeat({ 'test/pages/widget.spec.ts': 0 })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The test run failed without a failed file.',
    });
  });
});

describe.each([
  ['that need more than one worker', 'shared-workers-runner.mjs', 'Object.keys(of.SHARES)'],
  ['that only a release runs', 'release-files.mjs', 'of.RELEASE_FILES'],
])('files %s', (_title, program, list) => {
  it('exist', () => {
    const { stdout } = run([
      '-e',
      `import('./test/support/jest/${program}').then((of) => console.log(JSON.stringify(${list})))`,
    ]);
    const files = JSON.parse(stdout) as string[];
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('files that need more than one worker', () => {
  /** The files that begin, and what ends, in their order, when they end in the order of `ends`. */
  function runOf(workers: number, begins: readonly string[], ends: readonly string[]): string[] {
    const { stdout } = run([
      '-e',
      `import('./test/support/jest/file-shares.mjs').then(async ({ FileShares }) => {
        const shares = new FileShares(${workers}, { calls: 3 });
        const log = [];
        const settle = () => new Promise((resolve) => setImmediate(resolve));
        for (const file of ${JSON.stringify(begins)}) void shares.begin(file).then(() => log.push(file));
        for (const file of ${JSON.stringify(ends)}) {
          await settle();
          log.push('end of ' + file);
          shares.end(file);
        }
        await settle();
        console.log(JSON.stringify(log));
      });`,
    ]);
    return JSON.parse(stdout) as string[];
  }

  it('wait for others to end, and have those that come later wait', () => {
    expect(runOf(4, ['a', 'b', 'calls', 'c'], ['a', 'b', 'calls'])).toEqual([
      'a',
      'b',
      'end of a',
      'calls',
      'end of b',
      'c',
      'end of calls',
    ]);
  });

  it('have the only worker where there is no other', () => {
    expect(runOf(1, ['calls', 'a'], ['calls'])).toEqual(['calls', 'end of calls', 'a']);
  });
});

describe('the fake timers of a test', () => {
  afterAll(() => void jest.useRealTimers());

  it('let sockets of the process run, and do not count their work', async () => {
    jest.useFakeTimers();
    const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.end('echo');
    const [data] = await once(client, 'data');
    expect(String(data)).toBe('echo');
    await once(client, 'close');
    server.close();
    expect(jest.getTimerCount()).toBe(0);
  });
});
