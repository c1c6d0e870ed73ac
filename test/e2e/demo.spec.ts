import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProduct } from '../support/prosa-process.js';

const run = promisify(execFile);
const LEADS = 14;
/** What becomes of two leads of each ending. */
const OUTCOMES = [
  ['…00 answers', 'completed'],
  ['…01 is busy', 'reached-max-retries'],
  ['…02 does not answer', 'reached-max-retries'],
  ['…03 is a voicemail', 'completed'],
  ['…04 fails at the carrier', 'reached-max-retries'],
  ['…05 hangs up in the middle', 'completed'],
  ['…06 is busy, then answers', 'completed'],
] as const;

describe('npm run demo', () => {
  let folder: string;

  beforeAll(async () => {
    await buildProduct({ pages: true });
    folder = await mkdtemp(join(tmpdir(), 'prosa-demo-of-test-'));
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('calls every lead, shows what became of them, and leaves nothing behind', async () => {
    const { PATH, HOME } = process.env;
    const { stdout: said, stderr } = await run(
      process.execPath,
      ['scripts/demo.mjs', '--leads', String(LEADS)],
      { env: { PATH, HOME, TMPDIR: folder } },
    );
    expect(stderr).toBe('');
    expect(said).toContain(`${LEADS}/${LEADS} done, 0 talking`);
    expect(said).toContain('The campaign is completed.');
    for (const [ending, outcome] of OUTCOMES) {
      const counts = outcome === 'completed' ? '2\\s*│ 0' : '0\\s*│ 2';
      expect(said).toMatch(new RegExp(`'${ending}'\\s*│ 2\\s*│ ${counts}\\s*│`));
    }
    // Two whole calls, in the words of both sides.
    expect(said.match(/^ {2}AI: Olá, \w+! Aqui é a Padaria Central\./gm)).toHaveLength(2);
    expect(said.match(/^ {2}Customer: /gm)?.length).toBeGreaterThan(2);
    // A webhook for each call, including unanswered calls.
    const events = Number(/The webhook receiver got (\d+) events/.exec(said)?.[1]);
    expect(events).toBeGreaterThan(LEADS);
    expect(await readdir(folder)).toEqual([]);
  }, 120_000);

  it('says what it can do with a number of leads that is none', async () => {
    await expect(run(process.execPath, ['scripts/demo.mjs', '--leads', 'x'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm run demo -- --leads 14'),
    });
  });
});
