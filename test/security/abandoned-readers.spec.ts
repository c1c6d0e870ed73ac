import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** Busy for more than two seconds without a pause in which it could hear of its parent. */
const SLOW_PAGE = '<a>1<p>'.repeat(230_000);
const PARENT = `
  const { ExtractionProcess } = await import(process.argv[2]);
  const reader = new ExtractionProcess({ timeoutMs: Number(process.argv[4]), maxRssBytes: 2 ** 31, maxHeapMegabytes: 1_500 });
  process.once('SIGTERM', () => process.exit(0));
  if (process.argv[5] === 'stuck') setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
  const { child } = Object.assign(reader, { child: reader.start() });
  console.log(child.pid);
  await reader.extract({ path: process.argv[3], kind: 'html', url: 'https://example.com/' }).catch(() => undefined);
`;

describe('a process that reads a file', () => {
  let folder: string;
  const parents: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-readers-'));
    await writeFile(join(folder, 'slow.html'), SLOW_PAGE);
    await writeFile(join(folder, 'parent.mjs'), PARENT);
  });
  afterAll(async () => {
    for (const parent of parents) parent.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a parent whose reader has begun. */
  async function begin(timeoutMs: number, cpuSeconds: number, ...more: string[]) {
    const module = join(process.cwd(), 'src/modules/knowledgebases/extraction/extraction-process.ts');
    const words = [join(folder, 'parent.mjs'), module, join(folder, 'slow.html'), String(timeoutMs), ...more];
    const parent = spawn(process.execPath, ['--import', 'tsx', ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    parents.push(parent);
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const reader = Number(line);
    while ((await cpuSecondsOf(reader)) < cpuSeconds) await pause();
    return { parent, reader };
  }

  /** How long it lives on, up to eight seconds. */
  async function secondsUntilEnd(pid: number): Promise<number> {
    const startedAt = performance.now();
    while ((await isAlive(pid)) && performance.now() - startedAt < 8_000) await pause();
    if (await isAlive(pid)) process.kill(pid, 'SIGKILL');
    return (performance.now() - startedAt) / 1_000;
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends within 4 s after its parent, ended by %s',
    async (signal) => {
      const { parent, reader } = await begin(90_000, 2);
      parent.kill(signal);
      expect(await secondsUntilEnd(reader)).toBeLessThan(4);
    },
    150_000,
  );

  it('ends on time while its parent is too busy to end it', async () => {
    const { reader } = await begin(200, 0.3, 'stuck');
    expect(await secondsUntilEnd(reader)).toBeLessThan(4);
  }, 150_000);
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) Z /.test(stat);
}

/** Of all its threads, from the kernel's own clock of a hundredth of a second. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
