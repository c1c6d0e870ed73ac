import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogDestination } from './log-destination.js';
import { Logger } from './logger.js';

const LINE = 'x'.repeat(1_000);
const MAX_BYTES = 100_000;
/** What a pipe holds on Linux. */
const PIPE_BYTES = 65_536;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prosa-log-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The longest time in which the process could do nothing else while the work ran. */
async function longestPauseMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work();
  clearInterval(timer);
  return longest;
}

describe('a log that cannot be written', () => {
  it('drops and counts lines on a full disk, also fatal ones, without blocking the process', async () => {
    const fd = openSync('/dev/full', 'w');
    const destination = new LogDestination(fd, MAX_BYTES);
    const logger = Logger.create('info', destination);

    const pauseMs = await longestPauseMs(async () => {
      for (let n = 0; n < 300; n++) {
        logger.fatal(LINE);
        await sleep(1);
      }
      await destination.close(100);
    });

    expect(logger.linesDropped).toBeGreaterThan(150);
    expect(logger.child({ part: 'x' }).linesDropped).toBe(logger.linesDropped);
    expect(pauseMs).toBeLessThan(1_000);
    closeSync(fd);
  });

  it('holds lines for a reader that pauses, and tells how many it dropped once there is one again', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const destination = new LogDestination(fd, MAX_BYTES);
    const logger = Logger.create('info', destination);

    for (let n = 0; n < 500; n++) logger.info(LINE, { n });
    await sleep(300);
    const dropped = logger.linesDropped;
    expect(dropped).toBeGreaterThan(500 - (PIPE_BYTES + MAX_BYTES) / 1_000 - 1);

    const text = await readUntil(fd, 'log lines were dropped');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { n?: number; dropped?: number });
    expect(lines.at(-1)).toMatchObject({ dropped });
    expect(lines.map(({ n }) => n)).toEqual([
      ...Array.from({ length: 500 - dropped }, (_, n) => n),
      undefined,
    ]);
    await destination.close(100);
    closeSync(fd);
  });

  it('writes everything before it is closed', async () => {
    const path = join(folder, 'file.log');
    const fd = openSync(path, 'w+');
    const destination = new LogDestination(fd);
    const logger = Logger.create('info', destination);
    for (let n = 0; n < 1_000; n++) logger.info(LINE, { n });
    await destination.close(5_000);
    expect(execFileSync('wc', ['-l', path], { encoding: 'utf8' })).toMatch(/^1000 /);
    closeSync(fd);
  });
});

async function readUntil(fd: number, wanted: string): Promise<string> {
  const buffer = Buffer.alloc(PIPE_BYTES);
  let text = '';
  for (let tries = 0; tries < 1_000 && !text.includes(wanted); tries++) {
    try {
      text += buffer.toString('utf8', 0, readSync(fd, buffer));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await sleep(10);
    }
  }
  return text;
}
