import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dispose } from '@livekit/rtc-node';
import { LiveKitApi } from '../../src/providers/telephony/livekit/livekit-api.js';
import { LiveKitRooms } from '../../src/providers/telephony/livekit/livekit-rooms.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { CHROMIUM, problemsOf, TestBrowser } from '../support/browser.js';
import { createAssistant } from '../support/builders.js';
import { LocalServer } from '../support/http-server.js';
import { LiveKitServer } from '../support/livekit-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { RoomCaller, type RoomInvitation } from '../support/room-caller.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { microphoneArgs, writeMicrophone } from '../support/voice/fake-microphone.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const PROGRAM = process.env.LIVEKIT_SERVER;
const GREETING =
  'Olá! Aqui é a Padaria Central. Hoje temos pão francês, pão de queijo, pão integral, broa de milho, bolo de cenoura, torta de limão, sonho de creme, café coado, café com leite e suco de laranja.';
const QUESTION = 'Qual é o horário de atendimento?';
const ANSWER = 'O horário de atendimento é das 6 às 20 horas.';
const SENSITIVITY_MS = 300;
/** What the way there and back and a busy machine may add. */
const SLACK_MS = 1_500;
const RATE_HZ = 48_000;

/** Between two times that the browser's microphone hears the question. */
const PAUSE_MS = 4_000;
/** A page of an operator's own: LiveKit's client, as in docs/how-to/livekit.md, and a measure of what is heard. */
const PAGE = `<!doctype html><title>Loja</title><script src="/livekit-client.js"></script><script>
  const { Room, RoomEvent, Track } = LivekitClient;
  const room = new Room();
  const received = [];
  let loudMs = 0;
  room.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind !== Track.Kind.Audio) return;
    document.body.append(track.attach());
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(new MediaStream([track.mediaStreamTrack])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let lastMs = performance.now();
    setInterval(() => {
      const nowMs = performance.now();
      analyser.getFloatTimeDomainData(samples);
      if (samples.some((sample) => Math.abs(sample) > 0.05)) loudMs += nowMs - lastMs;
      lastMs = nowMs;
    }, 20);
  });
  room.on(RoomEvent.DataReceived, (payload, participant, kind, topic) => {
    if (topic === 'prosa') received.push(JSON.parse(new TextDecoder().decode(payload)));
  });
  const tell = (message) =>
    room.localParticipant.publishData(new TextEncoder().encode(JSON.stringify(message)), { reliable: true, topic: 'prosa' });
</script>`;

interface RoomCall extends OpenedWebCall {
  readonly livekit: RoomInvitation;
}

interface Turn {
  readonly role: string;
  readonly text: string;
  readonly interrupted: boolean;
}

// Counted as skipped where no server is named; `npm run test:livekit` builds one.
(PROGRAM ? describe : describe.skip)('A web call through a room of a LiveKit server', () => {
  let livekit: LiveKitServer;
  let rooms: LiveKitRooms;
  let api: TestApp;
  let owner: TestAccount;
  let assistant: { id: number; uuid: string };
  let folder: string;
  let voice: ProsaProcess;
  const running: ProsaProcess[] = [];

  beforeAll(async () => {
    await buildProduct();
    livekit = await LiveKitServer.start(PROGRAM!);
    rooms = new LiveKitRooms(new LiveKitApi(livekit.config));
    folder = await mkdtemp(join(tmpdir(), 'prosa-rooms-'));
    api = await TestApp.start({ ...livekit.environment, DATA_DIR: folder });
    owner = await api.account({ balanceUsd: 50 });
    assistant = await createAssistant(api, owner, {
      initial_message: GREETING,
      system_prompt: `Você atende os clientes da Padaria Central. ${ANSWER}`,
      interrupt_sensitivity: SENSITIVITY_MS / 1_000,
      speech_speed: 0.7,
      record: true,
    });
    const worker = start({ PROSA_ROLES: 'api,worker' });
    voice = await startVoice();
    await worker.ready();
  }, 240_000);
  afterAll(async () => {
    for (const one of running) one.kill('SIGKILL');
    await Promise.all(running.map((one) => one.exit()));
    await api.stop();
    await livekit.stop();
    await rm(folder, { recursive: true, force: true });
    await dispose();
  }, 60_000);

  function start(environment: Record<string, string>): ProsaProcess {
    const process = ProsaProcess.start({
      DATABASE_URL: api.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'info',
      ...livekit.environment,
      ...environment,
    });
    running.push(process);
    return process;
  }

  async function startVoice(): Promise<ProsaProcess> {
    const process = start({ PROSA_ROLES: 'voice' });
    await process.says(/Voice is ready/);
    await process.says(/connected to the LiveKit server/);
    return process;
  }

  async function open(): Promise<RoomCall> {
    const { body } = await api
      .as(owner)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(201);
    return body.data as RoomCall;
  }

  const statusOf = async (callId: number) => {
    const [row] = await api.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId]);
    return row?.status;
  };
  const read = async (callId: number) =>
    (await api.as(owner).get(`/api/user/calls/${callId}`).expect(200)).body as {
      readonly type: string;
      readonly turns: readonly Turn[];
      readonly total_cost: number;
      readonly recording_url: string;
    };
  const completed = (callId: number) =>
    until(async () => (await statusOf(callId)) === 'completed', 60_000).catch(async (cause: unknown) => {
      throw new Error(`the call is ${await statusOf(callId)}:\n${voice.text}`, { cause });
    });
  /** Joins the room of a call, and hears the assistant. */
  async function begin(call: RoomCall): Promise<RoomCaller> {
    const caller = await RoomCaller.connect(call.livekit);
    await caller.hears(300, 30_000).catch((cause: unknown) => {
      throw new Error(`nothing was heard:\n${voice.text.slice(-3_000)}\n${livekit.text.slice(-6_000)}`, {
        cause,
      });
    });
    return caller;
  }
  const isOpen = async ({ livekit: { room } }: RoomCall) => (await rooms.list()).includes(room);
  const gone = (call: RoomCall, timeoutMs?: number) => until(async () => !(await isOpen(call)), timeoutMs);

  it('is heard and understood, interrupts, is answered, hangs up, and is a call like any other', async () => {
    const call = await open();
    expect(call.livekit.url).toBe(livekit.url);
    const question = await spoken(QUESTION, RATE_HZ);
    const caller = await RoomCaller.connect(call.livekit);
    await caller.hears(1_500);
    const spokeMs = performance.now();
    await caller.speak(question);
    const heardMs = caller.soundMs;
    await caller.shows('customer', QUESTION);
    await caller.shows('assistant', ANSWER);
    const lastBefore = caller.heardAtMs.findLast((atMs) => atMs < spokeMs + question.length / 48) ?? 0;
    expect(lastBefore).toBeGreaterThan(spokeMs);
    expect(lastBefore - spokeMs).toBeLessThan(SENSITIVITY_MS + SLACK_MS);
    expect(await isOpen(call)).toBe(true);
    await until(() => caller.soundMs > heardMs + 1_000);
    await caller.tell({ type: 'hangup' });
    await until(() => !caller.isConnected);
    expect(caller.shown[0]).toEqual({ type: 'ready', sample_rate: 24_000, frame_ms: 20 });
    expect(caller.shown.at(-1)).toEqual({ type: 'ended', reason: 'customer' });
    await gone(call);

    await completed(call.call_id);
    const { type, turns, total_cost: cost, recording_url: url } = await read(call.call_id);
    expect(type).toBe('web');
    expect(turns[0]).toMatchObject({ role: 'assistant', interrupted: true });
    expect(turns).toContainEqual(expect.objectContaining({ role: 'customer', text: QUESTION }));
    expect(turns.some(({ role, text }) => role === 'assistant' && ANSWER.startsWith(text))).toBe(true);
    expect(cost).toBeGreaterThan(0);
    const { pathname, search } = new URL(url);
    const recording = await api.http
      .get(pathname + search)
      .responseType('blob')
      .expect(200);
    expect((recording.body as Buffer).subarray(0, 4).toString()).toBe('OggS');
    expect((recording.body as Buffer).length).toBeGreaterThan(10_000);
  }, 150_000);

  // Counted as skipped where there is no browser.
  (CHROMIUM ? it : it.skip)(
    'is made from a real browser, which is understood, interrupts, hears the answer and hangs up',
    async () => {
      const microphone = join(folder, 'microphone.wav');
      await writeMicrophone(microphone, RATE_HZ, await spoken(QUESTION, RATE_HZ), PAUSE_MS);
      const client = await readFile('node_modules/livekit-client/dist/livekit-client.umd.js');
      const site = await LocalServer.start(({ path }, response) => {
        const isScript = path === '/livekit-client.js';
        const type = isScript ? 'text/javascript' : 'text/html; charset=utf-8';
        response.writeHead(200, { 'Content-Type': type }).end(isScript ? client : PAGE);
      });
      const browser = await TestBrowser.start([
        ...microphoneArgs(microphone),
        '--allow-loopback-in-peer-connection',
        '--autoplay-policy=no-user-gesture-required',
      ]);
      try {
        const page = await browser.open(site.url);
        await page.goto('/');
        const call = await open();
        const { url, token } = call.livekit;
        const shows = (role: string, text: string) =>
          until(
            async () =>
              (await page.evaluate<Turn[]>('received')).some(
                (turn) => turn.role === role && turn.text === text,
              ),
            60_000,
          );
        await page.evaluate(`room.connect(${JSON.stringify(url)}, ${JSON.stringify(token)})`);
        await until(async () => (await page.evaluate<number>('loudMs')) > 1_000, 60_000);
        await page.evaluate('room.localParticipant.setMicrophoneEnabled(true)');
        await shows('customer', QUESTION);
        await page.evaluate('room.localParticipant.setMicrophoneEnabled(false)');
        const heardMs = await page.evaluate<number>('loudMs');
        await shows('assistant', ANSWER);
        await until(async () => (await page.evaluate<number>('loudMs')) > heardMs + 500, 20_000);
        await page.evaluate(`tell({ type: 'hangup' })`);
        await until(async () => (await page.evaluate('room.state')) === 'disconnected');
        expect((await page.evaluate<object[]>('received')).at(-1)).toEqual({
          type: 'ended',
          reason: 'customer',
        });
        await completed(call.call_id);
        const { turns, total_cost: cost } = await read(call.call_id);
        expect(turns[0]).toMatchObject({ role: 'assistant', interrupted: true });
        expect(turns).toContainEqual(expect.objectContaining({ role: 'customer', text: QUESTION }));
        expect(cost).toBeGreaterThan(0);
        expect(problemsOf(page)).toEqual([]);
      } finally {
        await browser.stop();
        await site.stop();
      }
    },
    150_000,
  );

  it('hears typed words, and ends when its customer leaves the room', async () => {
    const call = await open();
    const caller = await begin(call);
    await caller.tell({ type: 'text', text: QUESTION });
    await caller.shows('assistant', ANSWER);
    const leftMs = performance.now();
    await caller.leave();
    await until(async () =>
      ['ended_by_customer', 'completed'].includes((await statusOf(call.call_id)) ?? ''),
    );
    expect(performance.now() - leftMs).toBeLessThan(5_000);
    await gone(call);
  }, 90_000);

  it('is hung up by its owner, and tells the customer so', async () => {
    const call = await open();
    const caller = await begin(call);
    await api.as(owner).post(`/api/user/calls/${call.call_id}/hangup`).expect(200);
    await until(() => !caller.isConnected);
    expect(caller.shown.at(-1)).toMatchObject({ type: 'ended' });
    await gone(call);
  }, 60_000);

  it('goes on when the customer comes back to the room', async () => {
    const call = await open();
    const before = await begin(call);
    const after = await RoomCaller.connect(call.livekit);
    await until(() => !before.isConnected);
    await until(() => after.shown.some(({ type }) => type === 'ready'));
    await after.tell({ type: 'text', text: QUESTION });
    await after.shows('assistant', ANSWER);
    expect(await statusOf(call.call_id)).toBe('in-progress');
    await after.tell({ type: 'hangup' });
    await gone(call);
  }, 90_000);

  it('leaves the room when the same customer goes on over the WebSocket, which works without a room as well', async () => {
    const call = await open();
    const inRoom = await begin(call);
    const onSocket = await WebCaller.connect(call);
    await until(() => !inRoom.isConnected);
    await gone(call);
    onSocket.type(QUESTION);
    await onSocket.hears(300);
    onSocket.hangUp();
    expect(await onSocket.closed()).toBe(1000);

    const without = await open();
    const caller = await WebCaller.connect(without);
    await caller.hears(300);
    expect(await isOpen(without)).toBe(false);
    caller.hangUp();
    expect(await caller.closed()).toBe(1000);
  }, 90_000);

  it('refuses a connection once it is over', async () => {
    const call = await open();
    const caller = await begin(call);
    await caller.tell({ type: 'hangup' });
    await gone(call);
    const late = await RoomCaller.connect(call.livekit);
    await until(() => !late.isConnected, 40_000);
    expect(late.soundMs).toBe(0);
    expect(late.shown).toEqual([]);
    await gone(call);
  }, 90_000);

  it('ends cleanly, room included, when the process that carries it is killed', async () => {
    const call = await open();
    const caller = await RoomCaller.connect(call.livekit);
    await caller.hears(1_000);
    voice.kill('SIGKILL');
    await voice.exit();
    voice = await startVoice();
    await until(
      async () => !['initiated', 'ringing', 'in-progress'].includes((await statusOf(call.call_id)) ?? ''),
      120_000,
    );
    await completed(call.call_id);
    await gone(call, 40_000);
    await until(() => !caller.isConnected);
    expect((await read(call.call_id)).total_cost).toBeGreaterThan(0);
    const next = await open();
    const nextCaller = await begin(next);
    await nextCaller.tell({ type: 'hangup' });
    await gone(next);
  }, 240_000);
});
