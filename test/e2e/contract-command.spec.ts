import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checksOfRoutes } from '../../src/contract/checks/routes.js';
import { OWN_OBJECT_CHECKS } from '../../src/contract/checks/own-objects.js';
import { RULE_CHECKS } from '../../src/contract/checks/rules.js';
import { ContractClient } from '../../src/contract/contract-client.js';
import { type CheckResult, runChecks } from '../../src/contract/contract-run.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { buildProduct } from '../support/prosa-process.js';

const execute = promisify(execFile);

describe('The contract command', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account({ balanceUsd: 1 });
  });
  afterAll(() => app.stop());

  const check = (origin: string, allowSpend = false): Promise<CheckResult[]> => {
    const contract = app.contract;
    return runChecks({
      client: new ContractClient({ origin, key: account.token, contract, timeoutMs: 5_000 }),
      contract,
      checks: [...RULE_CHECKS, ...checksOfRoutes(contract), ...OWN_OBJECT_CHECKS],
      allowSpend,
    });
  };
  const titlesOf = (results: readonly CheckResult[], outcome: CheckResult['outcome']) =>
    results.filter((each) => each.outcome === outcome).map(({ title }) => title);
  const RESOURCES = ['api_keys', 'folders', 'tools', 'knowledgebases', 'assistants', 'campaigns', 'leads'];
  const counts = async () =>
    Promise.all(
      RESOURCES.map(async (table) => {
        const [row] = await app.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
        return row?.n;
      }),
    );

  it('passes on Prosa, leaves nothing behind and spends nothing', async () => {
    const before = await counts();
    const results = await check(app.origin);
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(titlesOf(results, 'passed').length).toBeGreaterThan(150);
    expect(titlesOf(results, 'left-out')).toEqual([expect.stringMatching(/^a test conversation/)]);
    expect(await counts()).toEqual(before);
    const [ledger] = await app.query<{ n: number }>('SELECT count(*)::int AS n FROM ledger_entries');
    expect(ledger?.n).toBe(1);
    expect(await app.query('SELECT 1 FROM conversations')).toEqual([]);
    expect(await app.query('SELECT 1 FROM calls')).toEqual([]);
  }, 60_000);

  it('checks the chat as well when money may be spent', async () => {
    const results = await check(app.origin, true);
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    const [conversation] = await app.query<{ ended_at: Date | null }>('SELECT ended_at FROM conversations');
    expect(conversation?.ended_at).toBeInstanceOf(Date);
  }, 60_000);

  describe('against a server that goes astray', () => {
    let wrong: LocalServer;

    type Changed = { status: number; body: unknown };
    /** Prosa behind a proxy which changes some of its answers. */
    const WRONG: readonly [RegExp, (answer: Changed) => unknown][] = [
      [
        /^GET \/api\/user\/me$/,
        ({ status, body }) => status === 200 && Object.assign(body as object, { total_balance: '9.99' }),
      ],
      [
        /^GET \/api\/user\/campaigns$/,
        (answer) => answer.status === 200 && Object.assign(answer, { status: 500, body: {} }),
      ],
      [
        /^PUT \/api\/user\/tools\/2147483647$/,
        (answer) => Object.assign(answer, { body: { message: 'Ferramenta não encontrada' } }),
      ],
      [/^GET \/api\/user\/leads\?per_page=1$/, ({ body }) => Object.assign(body as object, { last_page: 7 })],
      [
        /^DELETE \/api\/user\/folder\//,
        (answer) => answer.status === 404 && Object.assign(answer, { status: 200, body: { message: 'ok' } }),
      ],
      [
        /^PUT \/api\/user\/leads\/\d+$/,
        ({ body }) => Object.assign(body as object, { message: 'Invalid fields' }),
      ],
      [/^GET \/api\/user\/webhook-secret$/, (answer) => Object.assign(answer, { status: 200 })],
    ];

    beforeAll(async () => {
      wrong = await LocalServer.start(async ({ method, path, headers, body }, response) => {
        const upstream = await fetch(app.origin + path, {
          method,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(headers.authorization ? { authorization: headers.authorization } : {}),
          },
          ...(body === '' ? {} : { body }),
        });
        const answer: Changed = { status: upstream.status, body: await upstream.json() };
        for (const [request, change] of WRONG) if (request.test(`${method} ${path}`)) change(answer);
        answerJson(response, answer.body, answer.status);
      });
    });
    afterAll(() => wrong.stop());

    it('fails in the lines that are wrong and in no others', async () => {
      const before = await counts();
      const results = await check(wrong.url);
      expect(titlesOf(results, 'failed').sort()).toEqual(
        [
          'update of a missing tool is answered 404 {message: Tool not found}',
          'a missing lead, folder and assistant are answered 404 {message}',
          '/api/user/leads has pages with their addresses',
          'GET /api/user/me answers as documented',
          'GET /api/user/campaigns answers as documented',
          'GET /api/user/webhook-secret answers 401 without a token',
          'an API key: its token is shown once, and works',
          'a folder',
          'a campaign that is not started, with a lead',
        ].sort(),
      );
      const detailOf = (title: string) => results.find((each) => each.title === title)?.detail;
      expect(detailOf('GET /api/user/me answers as documented')).toContain('total_balance must be number');
      expect(detailOf('GET /api/user/campaigns answers as documented')).toContain('answers 500, not 200');
      expect(detailOf('update of a missing tool is answered 404 {message: Tool not found}')).toContain(
        'Ferramenta não encontrada',
      );
      // It cleans up even where a check has failed half-way.
      expect(await counts()).toEqual(before);
    }, 60_000);

    it('gives up on an answer that does not come', async () => {
      const silent = await LocalServer.start(() => {});
      const contract = app.contract;
      const results = await runChecks({
        client: new ContractClient({ origin: silent.url, key: 'k', contract, timeoutMs: 200 }),
        contract,
        checks: RULE_CHECKS.slice(0, 1),
        allowSpend: false,
      });
      await silent.stop();
      expect(results).toMatchObject([
        { outcome: 'failed', detail: expect.stringContaining('no answer in time') },
      ]);
    });
  });

  describe('as a command', () => {
    let folder: string;
    beforeAll(async () => {
      await buildProduct();
      folder = await mkdtemp(join(tmpdir(), 'prosa-contract-'));
    }, 120_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const command = async (...args: string[]) => {
      const { PATH = '', HOME = '' } = process.env;
      const options = { env: { PATH, HOME, DATA_DIR: folder }, maxBuffer: 1 << 24 };
      return execute(process.execPath, ['scripts/run.mjs', 'cli/contract', ...args], options).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        (error: { code: number; stdout: string; stderr: string }) => error,
      );
    };

    it('prints each check, writes JUnit and ends with 0', async () => {
      const junit = join(folder, 'junit.xml');
      const { code, stdout } = await command(
        '--url',
        `${app.origin}/api/`,
        '--key',
        account.token,
        '--junit',
        junit,
      );
      expect(code).toBe(0);
      expect(stdout).toMatch(/passed +Makes and deletes +a folder/);
      expect(stdout).toMatch(/\d+ checks: \d+ passed, 0 failed, 1 left out/);
      expect(await readFile(junit, 'utf8')).toMatch(
        /<testsuite name="prosa contract" tests="\d+" failures="0" skipped="1"/,
      );
    }, 120_000);

    it.each([
      ['without an address', [], /--url is missing/],
      [
        'at an address where nothing answers',
        ['--url', 'http://127.0.0.1:9', '--key', 'k'],
        /does not answer/,
      ],
    ])(
      'ends with 2 and a sentence %s',
      async (_case, args, sentence) => {
        const { code, stderr } = await command(...args);
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
        expect(stderr).not.toContain('    at ');
      },
      120_000,
    );

    it('ends with 2 where the key is not accepted', async () => {
      const { code, stderr } = await command('--url', app.origin, '--key', 'prosa_wrong');
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('does not accept the key'),
      });
    }, 120_000);
  });
});
