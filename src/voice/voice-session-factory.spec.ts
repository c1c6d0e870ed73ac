import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedStt, ScriptedTts } from '../../test/support/voice/scripted-speech.js';
import { VOICE, talkSetup } from '../../test/support/voice/voice-session-run.js';
import { TestLine } from '../../test/support/voice/test-line.js';
import { until } from '../../test/support/until.js';
import { SpeechUnavailableError } from '../providers/speech/speech-error.js';
import { recordingFileOf, type RecordingSkip } from '../runtime/call/recording-file.js';
import type { VoiceSettings } from '../runtime/call/settings/voice-settings.js';
import type { SessionListener } from '../runtime/call/session/assistant-session.js';
import { VoiceSessionFactory } from './voice-session-factory.js';

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

const REALTIME: VoiceSettings = {
  ...VOICE,
  mode: 'multimodal',
  realtime: { provider: 'openai', code: 'x' },
};

describe('VoiceSessionFactory', () => {
  let folder: string;
  let talks: VoiceSessionFactory;
  let line: TestLine;
  let voice: ScriptedTts;
  let asked: unknown[];
  let closed: number;
  let realtimeRests: boolean;
  let isMute: boolean;
  let over: AbortController;
  const errors: unknown[] = [];
  const skipped: unknown[] = [];
  let skip: RecordingSkip | null;

  beforeAll(async () => {
    initializeLogger({ pretty: false, level: 'silent' });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-talks-'));
    asked = [];
    errors.length = skipped.length = 0;
    skip = null;
    closed = 0;
    realtimeRests = isMute = false;
    over = new AbortController();
    line = new TestLine();
    voice = new ScriptedTts();
    const closing = <Part extends { close(): Promise<void> }>(part: Part): Part =>
      Object.assign(part, { close: async () => void closed++ });
    talks = new VoiceSessionFactory({
      limits: { maxToolSteps: 3, maxToolsPerStep: 4 },
      recordingsDir: join(folder, 'recordings'),
      recordingSkip: async () => skip,
      onRecordingSkipped: (call, reason) => skipped.push([call, reason]),
      onError: (error) => errors.push(error),
      speechOf: async () => ({
        recognizer: async (options) => {
          asked.push(options);
          return closing(new ScriptedStt());
        },
        synthesizer: async (options) => {
          if (isMute) throw new SpeechUnavailableError('There is no voice.');
          asked.push(options);
          return closing(voice);
        },
        realtime: async () => {
          throw new Error('There is no realtime model.');
        },
        isRealtimeResting: () => realtimeRests,
        realtimeFailed: () => {},
      }),
    });
  });
  afterEach(async () => {
    over.abort();
    line.end();
    await talks.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('asks for ears and a voice as the assistant is set, and lets go of them with the call', async () => {
    const settings = { ...VOICE, languages: [{ iso2: 'pt', locale: 'pt-BR' }], stability: 0.9, speed: 1.1 };
    const talk = await talks.make({ ...talkSetup(line, over.signal), voice: settings, recordAs: null });
    await talk.start(SILENT);
    expect(asked).toEqual([
      { provider: 'scripted', languages: ['pt-BR'] },
      {
        provider: 'scripted',
        voiceCode: 'tone',
        language: 'pt-BR',
        stability: 0.9,
        similarity: 0.5,
        speed: 1.1,
        emotion: true,
        onHeard: expect.any(Function),
      },
    ]);
    over.abort();
    const lateness = { lateMs: 0, maxLateMs: 0, gapMs: 0 };
    await expect(talk.close()).resolves.toEqual({ modelUsage: [], recording: null, lateness });
    expect(closed).toBe(2);
  });

  it('renders the greeting while it rings, and says it without asking the voice again', async () => {
    const setup = { ...talkSetup(line, over.signal), voice: VOICE, recordAs: null };
    talks.prepare(setup);
    await until(() => voice.said.length === 1);
    const talk = await talks.make(setup);
    await talk.start(SILENT);
    await expect(talk.say(setup.assistant.greeting({}))).resolves.toBe('heard');
    expect(voice.said).toEqual([setup.assistant.greeting({})]);
    expect(line.soundAfter(0)).not.toBeNull();
    await talk.close();
  });

  it('releases what was prepared for a call that is not answered', async () => {
    talks.prepare({ ...talkSetup(line, over.signal), voice: VOICE });
    await until(() => voice.said.length === 1);
    over.abort();
    await until(() => closed === 2);
  });

  it('records where the call is to be recorded, into a file of its own that is named after it', async () => {
    const talk = await talks.make({ ...talkSetup(line, over.signal), voice: VOICE, recordAs: 77 });
    await talk.start(SILENT);
    await talk.say('Bom dia.');
    const { recording } = await talk.close();
    const [name = '', ...others] = await readdir(join(folder, 'recordings'));
    expect(others).toEqual([]);
    expect(recordingFileOf(name)).toEqual({ recordAs: 77, startMs: 0, sampleRateHz: 8_000 });
    expect(recording).toEqual({ path: join(folder, 'recordings', name), sampleRateHz: 8_000 });
    // Stereo of two bytes.
    expect((await stat(recording!.path)).size).toBeGreaterThan(0.3 * 8_000 * 4);
  });

  it('lets a call go on that cannot be recorded', async () => {
    await writeFile(join(folder, 'recordings'), 'no folder');
    const talk = await talks.make({ ...talkSetup(line, over.signal), voice: VOICE, recordAs: 77 });
    await talk.start(SILENT);
    await expect(talk.say('Bom dia.')).resolves.toBe('heard');
    await expect(talk.close()).resolves.toMatchObject({ recording: null });
    expect(errors).toMatchObject([{ code: 'EEXIST' }]);
  });

  it('lets a call go on without a recording while too many wait, and says so', async () => {
    skip = 'spool_full';
    const setup = talkSetup(line, over.signal);
    const talk = await talks.make({ ...setup, voice: VOICE, recordAs: 77 });
    await talk.start(SILENT);
    await expect(talk.say('Bom dia.')).resolves.toBe('heard');
    await expect(talk.close()).resolves.toMatchObject({ recording: null });
    expect(skipped).toEqual([[{ userId: setup.userId, id: 77 }, 'spool_full']]);
    expect(await readdir(join(folder, 'recordings'))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('begins in the pipeline while the realtime model rests', async () => {
    realtimeRests = true;
    const setup = { ...talkSetup(line, over.signal), recordAs: null, voice: REALTIME };
    const talk = await talks.make(setup);
    await talk.start(SILENT);
    await expect(talk.say('Bom dia.')).resolves.toBe('heard');
    expect(asked).toMatchObject([
      { provider: 'scripted', languages: ['pt-BR'] },
      { provider: 'scripted', voiceCode: 'tone' },
    ]);
    await talk.close();
  });

  it('asks a resting realtime model when no other model can speak', async () => {
    realtimeRests = isMute = true;
    const setup = { ...talkSetup(line, over.signal), recordAs: null, voice: REALTIME };
    await expect(talks.make(setup)).rejects.toThrow('There is no realtime model.');
    expect(closed).toBe(1);
  });

  it('refuses a line of text, and says what is missing for a realtime model', async () => {
    const setup = { ...talkSetup(line, over.signal), recordAs: null };
    const text = { say: async () => ({ durationMs: 0 }) };
    await expect(talks.make({ ...setup, media: { text }, voice: VOICE })).rejects.toMatchObject({
      code: 'not-supported',
    });
    await expect(talks.make({ ...setup, voice: REALTIME })).rejects.toThrow('There is no realtime model.');
  });
});
