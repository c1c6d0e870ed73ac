import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ProviderHealth } from '../../src/providers/speech/fallback/candidates.js';
import { EspeakProcess } from '../../src/providers/speech/sandbox/espeak-process.js';
import { BUNDLED_CATALOG_PATH, parseCatalog } from '../../src/modules/catalog/catalog-file.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { isFullLength } from '../support/length.js';
import { DeepgramFake } from '../support/speech-fakes/deepgram-fake.js';
import { ElevenLabsFake } from '../support/speech-fakes/elevenlabs-fake.js';
import { OpenAiFake } from '../support/speech-fakes/openai-fake.js';
import type { Failing } from '../support/speech-fakes/vendor-fake.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { answerTo, type FaultRow, inLanes, readFaultRows } from '../support/voice/fault-table.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const GREETING = 'Bom dia. Posso ajudar?';
const QUESTION = 'quero marcar uma consulta';
const ANSWER = 'Certo, está anotado. Mais alguma coisa?';
const ONE_MOMENT = 'Só um momento, por favor.';
const FALLBACK = 'fallback-model';
const FIRST_ID = 9_000;
const FALLBACK_ID = FIRST_ID - 1;
const CALLS_AT_ONCE = 6;
const MICROS_PER_SECOND = 1_000;

type Moment = 'start' | 'middle';
/** At full length also at the start, which mostly repeats what happens at the first speech. */
const MOMENTS: readonly Moment[] = isFullLength ? ['start', 'middle'] : ['middle'];
const PARTS = ['speech to text', 'text to speech', 'chat model'] as const;
type Part = (typeof PARTS)[number];
const FAULTS: readonly (readonly [string, Failing])[] = [
  ['connection reset', 'reset'],
  ['401', 'refuse'],
  ['429', 'limit'],
  ['503', 'down'],
  ['cut in mid-sentence', 'break'],
  ['silence', 'silence'],
  ['garbage', 'garbage'],
  ['JSON of the wrong shapes', 'shapes'],
  ['bytes of noise', 'noise'],
  ['more than was asked for', 'endless'],
  ['slow', 'slow'],
  ['every model fails', 'down'],
];

type Row = FaultRow<Part | 'nothing'>;

interface Case {
  readonly row: Row;
  readonly moment: Moment;
  /** Of its model and its voice at their providers. */
  readonly name: string;
  readonly index: number;
}

interface Outcome {
  readonly callId: number;
  readonly hungUpByPlatform: boolean;
  readonly longestSilenceMs: number;
  readonly duration: number;
  /** When the call was over, before what comes after it. */
  readonly status: string;
  readonly transcript: string;
}

const ROWS = await readFaultRows(PARTS, FAULTS);
const CASES: readonly Case[] = [
  ...ROWS.flatMap((row) => MOMENTS.map((moment) => ({ row, moment }))),
  {
    row: { part: 'nothing', words: '', failing: 'never', goesOn: true, silenceMs: 0 } as Row,
    moment: 'start' as const,
  },
].map(({ row, moment }, index) => ({ row, moment, index, name: `case-${index}` }));

// Counted as skipped where the optional package of espeak-ng is not there: the customer speaks with it.
(EspeakProcess.isInstalled() ? describe : describe.skip)('calls whose providers fail', () => {
  const deepgram = new DeepgramFake();
  const eleven = new ElevenLabsFake();
  const openai = new OpenAiFake();
  const faults = new Map<string, Failing>();
  /** Who listens knows its call by nothing but the language. */
  const languages = new Map<string, { readonly id: number; readonly name: string }>();
  /** So many at once that none waits for the others' deadlines, and few enough for a busy machine. */
  let calls: Map<Case, Promise<Outcome>>;
  let app: TestApp;
  let owner: TestAccount;
  let folder: string;
  let webhooks: LocalServer;
  let question: Int16Array;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-provider-faults-'));
    await Promise.all([deepgram.start(), eleven.start(), openai.start(), writeCatalog()]);
    for (const fake of [deepgram, eleven, openai])
      fake.failingOf = (request) => faults.get(nameIn(request)) ?? 'never';
    deepgram.transcriptOf = () => QUESTION;
    openai.heard = QUESTION;
    openai.answerOf = (_model, wasCutOff) => (wasCutOff ? ANSWER.split(' ').slice(2).join(' ') : ANSWER);
    question = await spoken(QUESTION, 24_000);
    webhooks = await LocalServer.start((_request, response) => answerJson(response, {}));
    // Each call is to meet its own fault; that calls learn from one another is a test of its own.
    jest.spyOn(ProviderHealth.prototype, 'isResting').mockReturnValue(false);
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker,voice',
      DATA_DIR: folder,
      CATALOG_FILE: join(folder, 'catalog.json'),
      OPENAI_BASE_URL: `${openai.url}/v1`,
      DEEPGRAM_API_KEY: 'k',
      DEEPGRAM_BASE_URL: `${deepgram.url}/v1/listen`,
      ELEVEN_API_KEY: 'k',
      ELEVEN_BASE_URL: eleven.url,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      CALL_PRICE_PER_MINUTE: '0.06',
      CARRIER_PRICE_PER_MINUTE: '0',
    });
    owner = await app.account({ balanceUsd: 500 });
    calls = inLanes(CALLS_AT_ONCE, CASES, (one) => make(one));
  }, 60_000);
  afterAll(async () => {
    await Promise.allSettled(calls?.values() ?? []);
    await app.stop();
    await Promise.all([deepgram.stop(), eleven.stop(), openai.stop(), webhooks.stop()]);
    await rm(folder, { recursive: true, force: true });
    jest.restoreAllMocks();
  }, 120_000);

  /** A model, a voice and a language of its own for each call, so that each can fail alone. */
  async function writeCatalog(): Promise<void> {
    const { models, voices, ...rest } = parseCatalog(
      JSON.parse(await readFile(BUNDLED_CATALOG_PATH, 'utf8')),
    );
    const heard = rest.languages.filter(({ transcriber }) => transcriber === 'deepgram');
    for (const { name, row } of CASES) {
      const language = row.part === 'speech to text' ? heard[languages.size + 1] : undefined;
      if (language) languages.set(language.locale, { id: language.id, name });
    }
    const model = (id: number, name: string) => ({
      id,
      types: ['llm'],
      name,
      code: name,
      provider: 'openai',
    });
    const voice = { gender: 'female', modes: ['pipeline'], languages: null, provider: 'elevenlabs' };
    const catalog = {
      ...rest,
      models: [
        ...models,
        model(FALLBACK_ID, FALLBACK),
        ...CASES.map(({ index, name }) => model(FIRST_ID + index, name)),
      ],
      voices: [
        ...voices,
        ...CASES.map(({ index, name }) => ({
          ...voice,
          id: FIRST_ID + index,
          name,
          provider_voice: name,
          accent: null,
          age: null,
          preview_url: null,
        })),
      ],
    };
    await writeFile(join(folder, 'catalog.json'), JSON.stringify(catalog));
  }

  function nameIn({ url = '' }: IncomingMessage): string {
    const { pathname, searchParams } = new URL(url, 'http://fake');
    const language = languages.get(searchParams.get('language') ?? '');
    return language?.name ?? /text-to-speech\/([^/]+)/.exec(pathname)?.[1] ?? '';
  }

  function begin({ name, row: { part, failing } }: Case): void {
    if (part === 'chat model') openai.faults.set(name, failing);
    else faults.set(name, failing);
    // Who refuses connections does not keep those that it has.
    if (!['reset', 'refuse', 'limit', 'down'].includes(failing)) return;
    for (const fake of [deepgram, eleven]) fake.breakAll((request) => nameIn(request) === name);
  }

  async function make(one: Case): Promise<Outcome> {
    const opened = await open(one);
    if (one.moment === 'start' && one.row.part !== 'nothing') begin(one);
    const caller = await WebCaller.connect(opened);
    await answerTo(caller, () => isWaiting(caller));
    // A model is not asked before the customer has said something.
    if (one.row.part === 'chat model' && one.moment === 'middle') await ask(caller);
    if (one.moment === 'middle') begin(one);
    await ask(caller);
    const hungUpByPlatform = caller.closeCode !== null;
    const longestSilenceMs = Math.max(caller.longestSilenceMs, hungUpByPlatform ? 0 : caller.silenceMs);
    if (!hungUpByPlatform) caller.hangUp();
    await caller.closed();
    for (const all of [faults, openai.faults]) all.delete(one.name);
    const callId = opened.call_id;
    const read = async () => (await app.as(owner).get(`/api/user/calls/${callId}`).expect(200)).body;
    await until(async () => /^(ended|completed)/.test((await read()).status), 60_000);
    return { callId, hungUpByPlatform, longestSilenceMs, ...(await read()) };
  }

  async function open({ name, index, row: { part, words } }: Case): Promise<OpenedWebCall> {
    const language = [...languages.values()].find((each) => each.name === name);
    const { id } = await createAssistant(app, owner, {
      initial_message: GREETING,
      llm_model_id: part === 'chat model' ? FIRST_ID + index : FALLBACK_ID,
      chat_llm_fallback_id: words.startsWith('every') ? null : FALLBACK_ID,
      voice_id: part === 'text to speech' ? FIRST_ID + index : 1,
      language_id: language?.id ?? 1,
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
    await caller.say(question);
    await answerTo(caller, () => isWaiting(caller));
  }

  /** Nothing but a request for patience was said since. */
  function isWaiting(caller: WebCaller): boolean {
    const said = caller.shown.findLast(({ role }) => role === 'assistant')?.text ?? '';
    return said.endsWith(ONE_MOMENT) || ANSWER.startsWith(`${said} `);
  }

  async function moneyOf(callId: number) {
    const [row] = await app.query<{ paid: number; charges: number; seconds: number }>(
      `SELECT duration_seconds AS seconds,
         (SELECT coalesce(-sum(amount_micros), 0)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS paid,
         (SELECT count(*)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS charges
       FROM calls WHERE id = $1`,
      [callId],
    );
    return row!;
  }

  it.each(
    CASES.filter(({ row }) => row.part !== 'nothing').map(
      (one) => [one.row.part, one.row.words, one.moment, one] as const,
    ),
  )(
    '%s, %s, at the %s of the call',
    async (_part, _words, moment, one) => {
      const { row } = one;
      const { callId, hungUpByPlatform, longestSilenceMs, status, transcript } = await calls.get(one)!;
      expect(hungUpByPlatform).toBe(!row.goesOn);
      expect([row.goesOn ? 'ended_by_customer' : 'ended', 'completed']).toContain(status);
      expect(longestSilenceMs).toBeLessThan(row.silenceMs);
      const rounds = row.part === 'chat model' && moment === 'middle' ? 2 : 1;
      const turns = Array.from({ length: rounds }, () => [`Customer: ${QUESTION}`, `AI: ${ANSWER}`]).flat();
      const heard = [`AI: ${GREETING}`, ...(row.goesOn ? turns : turns.slice(0, -1))];
      expect(transcript.split('\n').filter((line) => line !== `AI: ${ONE_MOMENT}`)).toEqual(heard);
      const { seconds, paid, charges } = await moneyOf(callId);
      expect({ paid, charges }).toEqual({ paid: seconds * MICROS_PER_SECOND, charges: 1 });
    },
    240_000,
  );

  it('other calls at the same time hear nothing of it', async () => {
    const { longestSilenceMs, transcript } = await calls.get(CASES.at(-1)!)!;
    expect(transcript.split('\n')).toEqual([`AI: ${GREETING}`, `Customer: ${QUESTION}`, `AI: ${ANSWER}`]);
    expect(longestSilenceMs).toBeLessThan(10_000);
  }, 240_000);

  it('nothing is left of them: no line, no held money, no connection, and each was reported once', async () => {
    await Promise.all(calls.values());
    await until(async () => (await app.query('SELECT 1 FROM active_calls LIMIT 1')).length === 0, 30_000);
    // Deepgram's plugin leaves a connection open on which came what it cannot read.
    const unreadable: readonly Failing[] = ['garbage', 'shapes', 'noise', 'endless'];
    const isForgotten = (request: IncomingMessage) =>
      !unreadable.includes(CASES.find(({ name }) => name === nameIn(request))?.row.failing ?? 'never');
    const left = () =>
      [deepgram.clientsOf(isForgotten), eleven.clientsOf(() => true), openai.clientsOf(() => true)].map(
        (clients) => clients.length,
      );
    await until(() => left().every((count) => count === 0), 30_000).catch(() => undefined);
    expect(left()).toEqual([0, 0, 0]);
    await until(() => webhooks.requests.length >= CASES.length, 120_000);
    expect(webhooks.requests.map(({ path }) => path).toSorted()).toEqual(
      CASES.map(({ name }) => `/${name}`).toSorted(),
    );
    const [wallet] = await app.query(
      `SELECT held_micros::int AS held, (balance_micros =
         (SELECT sum(amount_micros) FROM ledger_entries WHERE user_id = $1)) AS "isExact"
       FROM wallets WHERE user_id = $1`,
      [owner.userId],
    );
    expect(wallet).toEqual({ held: 0, isExact: true });
  }, 240_000);
});
