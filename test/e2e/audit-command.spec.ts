import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, answerJson, LocalServer } from '../support/http-server.js';

const ID = 'GHSA-aaaa-bbbb-cccc';
/** Of a package that nothing but the product uses. */
const PACKAGE = 'rate-limiter-flexible';
const ADVISORY = {
  [PACKAGE]: [
    {
      id: 1,
      url: `https://github.com/advisories/${ID}`,
      title: 'Counts wrongly',
      severity: 'high',
      vulnerable_versions: '<1000',
      cwe: [],
      cvss: { score: 0, vectorString: null },
    },
  ],
};

/** A registry with one package and one advisory; npm asks for both. */
const withAdvisory: Answer = ({ method }, response) =>
  answerJson(
    response,
    method === 'POST'
      ? ADVISORY
      : {
          name: PACKAGE,
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name: PACKAGE, version: '1.0.0' } },
        },
  );

describe('npm run check:audit', () => {
  let folder: string;
  let registry: LocalServer;
  let answer: Answer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-audit-'));
    registry = await LocalServer.start((request, response) => answer(request, response));
  });
  afterAll(async () => {
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function audit(answers: Record<string, string>): Promise<{ code: number; said: string }> {
    const file = join(folder, 'answers.json');
    await writeFile(file, JSON.stringify(answers));
    const env = {
      ...process.env,
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, 'cache'),
    };
    return new Promise((resolve) => {
      execFile(process.execPath, ['scripts/audit.mjs', '--answers', file], { env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
      );
    });
  }

  it('ends with 1 and names a vulnerability without an answer', async () => {
    answer = withAdvisory;
    const { code, said } = await audit({});
    expect(said).toContain('rate-limiter-flexible (high): Counts wrongly');
    expect(said).toContain('Known vulnerabilities: 1, of these without an answer: 1.');
    expect(code).toBe(1);
  });

  it('shows the answer of one that has any', async () => {
    answer = withAdvisory;
    const { code, said } = await audit({ [ID]: 'We count in memory alone.' });
    expect(said).toContain('We count in memory alone.');
    expect(code).toBe(0);
  });

  it('ends with 1 for an answer that is of nothing any more', async () => {
    answer = (_request, response) => answerJson(response, {});
    const { code, said } = await audit({ [ID]: 'We count in memory alone.' });
    expect(said).toContain(`${ID}: stale entry: the advisory is gone.`);
    expect(code).toBe(1);
  });

  it('says that nothing was checked where the registry knows of no advisories', async () => {
    answer = (_request, response) => answerJson(response, {}, 405);
    const { code, said } = await audit({ [ID]: 'We count in memory alone.' });
    expect(said).toMatch(/^Nothing was checked: 405 Method Not Allowed/);
    expect(code).toBe(0);
  });
});
