import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EspeakProcess } from '../../src/providers/speech/sandbox/espeak-process.js';
import { BUNDLED_CATALOG_PATH, parseCatalog } from '../../src/modules/catalog/catalog-file.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createTool } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { isFullLength } from '../support/length.js';
import { OpenAiFake } from '../support/speech-fakes/openai-fake.js';
import type { Failing } from '../support/speech-fakes/vendor-fake.js';
import type { Answer } from '../support/speech-fakes/openai-realtime-fake.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { answerTo, type FaultRow, inLanes, readFaultRows } from '../support/voice/fault-table.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const GREETING = 'Bom dia. Posso ajudar?';
const QUESTION = 'quero marcar uma consulta';
const ANSWER = 'Certo, está anotado. Mais alguma coisa?';
const ONE_MOMENT = 'Só um momento, por favor.';
const SAY = 'Say exactly these words, and nothing else: ';
const SECONDS_PER_CHARACTER = 0.05;
const FALLBACK = 'fallback-model';
const FIRST_ID = 9_000;
const FALLBACK_ID = FIRST_ID - 1;
/** Fallbacks that fail as well, by their names, until their call is over: it is evaluated by them. */
const BROKEN = { multimodal: FIRST_ID - 2, dualplex: FIRST_ID - 3 };
const TOOL_TIMEOUT_SECONDS = 8;
/** Nothing comes any more of what the fault has set going. */
const SETTLED_MS = 5_000;
/** On a machine so busy that sound comes at a quarter of its pace. */
const SETTLING_MS = 90_000;
const CALLS_AT_ONCE = 6;
const MICROS_PER_SECOND = 1_000;

type Moment = 'start' | 'middle';
const MOMENTS: readonly Moment[] = isFullLength ? ['start', 'middle'] : ['middle'];
const MODES = ['multimodal', 'dualplex'] as const;
/** The tool is one that never answers; the model does. */
const TOOL = 'tool that never answers';
const EVERYTHING = 'everything fails';
const FAULTS: readonly (readonly [string, Failing])[] = [
  ['connection reset', 'reset'],
  ['401', 'refuse'],
  ['429', 'limit'],
  ['503', 'down'],
  ['closed at once', 'leave'],
  ['cut in mid-sentence', 'break'],
  ['silence', 'silence'],
  ['garbage', 'garbage'],
  ['error event', 'error'],
  ['failed response', 'failed'],
  ['expired session', 'never'],
  ['slow', 'slow'],
  [TOOL, 'never'],
  [EVERYTHING, 'down'],
];
/** Who fails so does not keep the connections that it has. */
const ENDS_CONNECTIONS: readonly Failing[] = ['reset', 'refuse', 'limit', 'down', 'leave'];

interface Case {
  readonly row: FaultRow<(typeof MODES)[number]>;
  readonly moment: Moment;
  /** Of its realtime model. */
  readonly name: string;
  readonly index: number;
}

interface Outcome {
  readonly callId: number;
  readonly hungUpByPlatform: boolean;
  readonly longestSilenceMs: number;
  readonly status: string;
  readonly transcript: string;
}

const ROWS = await readFaultRows(MODES, FAULTS);
const CASES: readonly Case[] = ROWS.flatMap((row) =>
  // Sessions do not expire, and tools are not called, before anything was said.
  MOMENTS.filter((moment) => moment === 'middle' || row.failing !== 'never').map((moment) => ({
    row,
    moment,
  })),
).map(({ row, moment }, index) => ({ row, moment, index, name: `case-${index}` }));

// Counted as skipped where the optional package of espeak-ng is not there: the customer speaks with it.
(EspeakProcess.isInstalled() ? describe : describe.skip)('calls whose realtime model fails', () => {
  const openai = new OpenAiFake();
  const faults = new Map<string, Failing>();
  /** Cases whose model has called its tool. */
  const called = new Set<string>();
  let calls: Map<Case, Promise<Outcome>>;
  let app: TestApp;
  let owner: TestAccount;
  let folder: string;
  let webhooks: LocalServer;
  let silentServer: LocalServer;
  let question: Int16Array;
  let toolId: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-realtime-faults-'));
    await Promise.all([openai.start(), writeCatalog()]);
    openai.failingOf = (request) => faults.get(nameIn(request)) ?? 'never';
    for (const name of Object.keys(BROKEN)) openai.faults.set(name, 'down');
    openai.transcriptOf = () => QUESTION;
    openai.heard = QUESTION;
    openai.answerOf = () => ANSWER;
    openai.replyTo = (instructions, request) => replyOf(instructions, nameIn(request));
    question = await spoken(QUESTION, 24_000);
    webhooks = await LocalServer.start((_request, response) => answerJson(response, {}));
    silentServer = await LocalServer.start(() => {});
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      DATA_DIR: folder,
      CATALOG_FILE: join(folder, 'catalog.json'),
      OPENAI_BASE_URL: `${openai.url}/v1`,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0',
    });
    owner = await app.account({ balanceUsd: 500 });
    const endpoint = `${silentServer.url}/weather`;
    toolId = await createTool(app, owner, { endpoint, timeout: TOOL_TIMEOUT_SECONDS });
    calls = inLanes(CALLS_AT_ONCE, CASES, make);
  }, 60_000);
  afterAll(async () => {
    await Promise.allSettled(calls?.values() ?? []);
    await app.stop();
    await Promise.all([openai.stop(), webhooks.stop(), silentServer.stop()]);
    await rm(folder, { recursive: true, force: true });
  }, 120_000);

  /** A realtime model of its own for each call, so that each can fail alone. */
  async function writeCatalog(): Promise<void> {
    const { models, ...rest } = parseCatalog(JSON.parse(await readFile(BUNDLED_CATALOG_PATH, 'utf8')));
    const model = (id: number, name: string, types: readonly string[]) => ({
      id,
      types,
      name,
      code: name,
      provider: 'openai',
    });
    const own = [
      model(FALLBACK_ID, FALLBACK, ['llm']),
      ...Object.entries(BROKEN).map(([name, id]) => model(id, name, ['llm'])),
      ...CASES.map(({ index, name }) => model(FIRST_ID + index, name, MODES)),
    ];
    await writeFile(join(folder, 'catalog.json'), JSON.stringify({ ...rest, models: [...models, ...own] }));
  }

  function nameIn({ url = '' }: IncomingMessage): string {
    return new URL(url, 'http://fake').searchParams.get('model') ?? '';
  }

  function replyOf(instructions: string, name: string): Answer {
    const given = instructions.split(SAY)[1];
    const { row } = CASES.find((one) => one.name === name)!;
    if (!given && row.words === TOOL && !called.has(name)) {
      called.add(name);
      return { call: 'get_weather', arguments: { city: 'Natal' } };
    }
    const text = given ?? ANSWER;
    return { text, seconds: text.length * SECONDS_PER_CHARACTER };
  }

  function begin({ name, row: { failing, words } }: Case): void {
    const isOwn = (request: IncomingMessage) => nameIn(request) === name;
    if (words.startsWith('expired')) return openai.expire(isOwn);
    faults.set(name, failing);
    if (ENDS_CONNECTIONS.includes(failing)) openai.breakAll(isOwn);
  }

  async function make(one: Case): Promise<Outcome> {
    const opened = await open(one);
    if (one.moment === 'start') begin(one);
    const caller = await WebCaller.connect(opened);
    await answerTo(caller, () => isWaiting(caller, 0));
    if (one.moment === 'middle') begin(one);
    await ask(caller);
    const isSettled = () => caller.silenceMs > SETTLED_MS || caller.closeCode !== null;
    const shown = caller.shown.length;
    await until(isSettled, SETTLING_MS).catch((error: unknown) => {
      throw new Error(`no end: ${JSON.stringify(caller.shown.slice(shown))}`, { cause: error });
    });
    // The second question shows that the call really goes on.
    await ask(caller);
    const hungUpByPlatform = caller.closeCode !== null;
    const longestSilenceMs = Math.max(caller.longestSilenceMs, hungUpByPlatform ? 0 : caller.silenceMs);
    if (!hungUpByPlatform) caller.hangUp();
    await caller.closed();
    if (one.row.words.startsWith(EVERYTHING)) openai.faults.delete(one.row.part);
    const callId = opened.call_id;
    const read = async () => (await app.as(owner).get(`/api/user/calls/${callId}`).expect(200)).body;
    await until(async () => /^(ended|completed)/.test((await read()).status), 60_000);
    return { callId, hungUpByPlatform, longestSilenceMs, ...(await read()) };
  }

  async function open({ name, index, row: { part, words } }: Case): Promise<OpenedWebCall> {
    const { id } = await createAssistant(app, owner, {
      mode: part,
      initial_message: GREETING,
      llm_model_id: null,
      multimodal_model_id: FIRST_ID + index,
      chat_llm_fallback_id: words.startsWith(EVERYTHING) ? BROKEN[part] : FALLBACK_ID,
      tool_ids: words === TOOL ? [toolId] : [],
      is_webhook_active: true,
      webhook_url: `${webhooks.url}/${name}`,
    });
    let opened: OpenedWebCall | null = null;
    // 503 while a process that starts many calls at once is too busy for another one.
    await until(async () => {
      const { status, body } = await app.as(owner).post(`/api/user/assistant/${id}/web-call`).send({});
      if (status === 201) opened = body.data as OpenedWebCall;
      return opened !== null;
    }, 60_000);
    return opened!;
  }

  async function ask(caller: WebCaller): Promise<void> {
    if (caller.closeCode !== null) return;
    const shown = caller.shown.length;
    await caller.say(question);
    await answerTo(caller, () => isWaiting(caller, shown));
  }

  /** Nothing but a request for patience, or the beginning of an answer, was said since. @param from of what is shown */
  function isWaiting(caller: WebCaller, from: number): boolean {
    const said = caller.shown.slice(from).findLast(({ role }) => role === 'assistant')?.text;
    return said === undefined || said.endsWith(ONE_MOMENT) || ANSWER.startsWith(`${said} `);
  }

  it.each(CASES.map((one) => [one.row.part, one.row.words, one.moment, one] as const))(
    '%s, %s, at the %s of the call',
    async (_part, _words, _moment, one) => {
      const { row } = one;
      const { callId, hungUpByPlatform, longestSilenceMs, status, transcript } = await calls.get(one)!;
      const lines = transcript.split('\n').filter((line) => line !== `AI: ${ONE_MOMENT}`);
      expect(hungUpByPlatform).toBe(!row.goesOn);
      expect([row.goesOn ? 'ended_by_customer' : 'ended', 'completed']).toContain(status);
      expect(longestSilenceMs).toBeLessThan(row.silenceMs);
      expect(lines[0]).toBe(`AI: ${GREETING}`);
      if (row.goesOn) expect(lines.at(-2)).toBe(`Customer: ${QUESTION}`);
      // On a busy machine the customer may have hung up into the last of it.
      if (row.goesOn) expect(`AI: ${ANSWER}`).toContain(lines.at(-1));
      const [money] = await app.query(
        `SELECT (SELECT count(*)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS charges,
           (SELECT -sum(amount_micros)::int FROM ledger_entries WHERE reference = 'call:' || calls.id)
             = duration_seconds * ${MICROS_PER_SECOND} AS "isExact"
         FROM calls WHERE id = $1`,
        [callId],
      );
      expect(money).toEqual({ charges: 1, isExact: true });
    },
    240_000,
  );

  it('nothing is left of them: no line, no held money, no connection, and each was reported once', async () => {
    await Promise.all(calls.values());
    const open = () =>
      app.query(
        `SELECT calls.id, calls.status, active_calls.stage FROM active_calls JOIN calls ON calls.id = call_id`,
      );
    await until(async () => (await open()).length === 0, 30_000).catch(() => undefined);
    expect(await open()).toEqual([]);
    await until(() => openai.open === 0, 30_000).catch(() => undefined);
    expect(openai.standing.map(({ url }) => url)).toEqual([]);
    await until(() => webhooks.requests.length >= CASES.length, 120_000);
    expect(webhooks.requests.map(({ path }) => path).toSorted()).toEqual(
      CASES.map(({ name }) => `/${name}`).toSorted(),
    );
    const [wallet] = await app.query('SELECT held_micros::int AS held FROM wallets WHERE user_id = $1', [
      owner.userId,
    ]);
    expect(wallet).toEqual({ held: 0 });
  }, 240_000);
});
