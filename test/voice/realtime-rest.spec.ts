import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import type { AssistantSession, SessionListener } from '../../src/runtime/call/session/assistant-session.js';
import { VoiceSessionFactory } from '../../src/voice/voice-session-factory.js';
import { OpenAiFake } from '../support/speech-fakes/openai-fake.js';
import { talkSetup, VOICE } from '../support/voice/voice-session-run.js';
import { TestLine } from '../support/voice/test-line.js';

const MODEL = { provider: 'openai', code: 'gpt-realtime' };
const GREETING = 'Bom dia.';

const SILENT: SessionListener = {
  onTurn: () => {},
  onCustomer: () => {},
  onKeys: () => {},
  onAssistant: () => {},
  onGoodbye: () => {},
  onFarEnd: () => {},
  onFunctionCall: () => {},
  onMetrics: () => {},
  onError: () => {},
  onFailure: () => {},
};

describe('a call after one that has lost its realtime model', () => {
  let openai: OpenAiFake;
  let folder: string;
  let registry: SpeechProviderRegistry;
  let talks: VoiceSessionFactory;
  let failures: unknown[];
  let over: AbortController;
  const lines: TestLine[] = [];

  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
  beforeEach(async () => {
    openai = new OpenAiFake();
    [folder] = await Promise.all([mkdtemp(join(tmpdir(), 'prosa-rest-')), openai.start()]);
    const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${openai.url}/v1` };
    const { speech, security } = configFrom(parseEnvironment(environment));
    registry = new SpeechProviderRegistry(speech, security);
    failures = [];
    over = new AbortController();
    talks = new VoiceSessionFactory({
      limits: { maxToolSteps: 3, maxToolsPerStep: 4 },
      recordingsDir: folder,
      recordingSkip: async () => null,
      onRecordingSkipped: () => {},
      onError: () => {},
      speechOf: (userId) => registry.of(userId),
    });
  });
  afterEach(async () => {
    over.abort();
    for (const line of lines.splice(0)) line.end();
    await talks.close();
    await Promise.all([registry.onApplicationShutdown(), openai.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  function setupOf() {
    const line = new TestLine();
    lines.push(line);
    const voice = { ...VOICE, mode: 'multimodal', realtime: MODEL } as const;
    const providers = { transcriber: null, synthesizer: 'openai' };
    return { ...talkSetup(line, over.signal), voice: { ...voice, ...providers }, recordAs: null };
  }

  async function greet(talk: AssistantSession): Promise<void> {
    await talk.start({ ...SILENT, onFailure: (error) => failures.push(error) });
    await expect(talk.say(GREETING)).resolves.toBe('heard');
    over.abort();
    await talk.close();
    over = new AbortController();
  }

  const connections = () => openai.connections.length;
  const linesSpoken = () => openai.spoken.filter(({ text }) => text === GREETING).length;

  it('begins in the pipeline, without a try of the model', async () => {
    openai.failing = 'down';
    await greet(await talks.make(setupOf()));
    expect(linesSpoken()).toBe(1);
    const tries = connections();
    expect(tries).toBeGreaterThan(0);
    openai.failing = 'never';
    await greet(await talks.make(setupOf()));
    expect(connections()).toBe(tries);
    expect(linesSpoken()).toBe(2);
    expect(failures).toEqual([]);
  }, 60_000);

  it('begins in the pipeline also where its model was opened while it rang', async () => {
    const setup = setupOf();
    talks.prepare(setup);
    registry.installation.realtimeFailed(MODEL, new Error('It is down.'));
    await greet(await talks.make(setup));
    expect(connections()).toBe(0);
    expect(linesSpoken()).toBe(1);
  }, 60_000);

  it('has its realtime model where that refused only what one assistant had asked for', async () => {
    registry.installation.realtimeFailed(
      MODEL,
      new Error('The realtime model is gone.', { cause: new Error('Unexpected server response: 404') }),
    );
    await greet(await talks.make(setupOf()));
    expect(connections()).toBe(1);
    expect(linesSpoken()).toBe(0);
  }, 60_000);
});
