import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { initializeLogger, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { keypadTones, type CallAudio } from '@prosa/audio';
import { until } from '@prosa/testing';
import { Candidates, ProviderHealth } from '../../providers/speech/fallback/candidates.js';
import { FallbackSynthesizer } from '../../providers/speech/fallback/fallback-synthesizer.js';
import { EventQueue } from '../../providers/telephony/event-queue.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import { LineAnnouncer } from './line-announcer.js';

const VOICE_HZ = 24_000;
const LINE_HZ = 8_000;
const FRAME = 160;
const PHRASE_MS = 100;

/** Says every text as a constant sound; its level tells the text. */
class LevelVoice extends tts.TTS {
  readonly label = 'test.LevelVoice';
  readonly said: string[] = [];
  isClosed = false;

  constructor(readonly levels: Readonly<Record<string, number>>) {
    super(VOICE_HZ, 1, { streaming: false });
  }

  synthesize(text: string): tts.ChunkedStream {
    this.said.push(text);
    return new LevelStream(text, this);
  }

  stream(): tts.SynthesizeStream {
    throw new Error('not needed');
  }

  override async close(): Promise<void> {
    this.isClosed = true;
  }
}

class LevelStream extends tts.ChunkedStream {
  readonly label = 'test.LevelStream';

  constructor(
    private readonly words: string,
    private readonly owner: LevelVoice,
  ) {
    super(words, owner);
  }

  protected async run(): Promise<void> {
    const level = this.owner.levels[this.words];
    if (level === undefined) throw new Error('The voice is away.');
    const length = (VOICE_HZ * PHRASE_MS) / 1_000;
    const frame = new AudioFrame(new Int16Array(length).fill(level), VOICE_HZ, 1, length);
    this.queue.put({ requestId: 'r', segmentId: 'r', frame, final: true });
    this.queue.close();
  }
}

describe('LineAnnouncer', () => {
  let over: AbortController;
  let announcer: LineAnnouncer | null = null;

  beforeAll(() => initializeLogger({ pretty: false, level: 'fatal' }));
  afterEach(() => announcer?.close());

  function open(
    levels: Readonly<Record<string, number>>,
    hearsKeys = false,
    provider = `test-${Math.random()}`,
    spoken: Partial<VoiceSettings> | null = null,
  ) {
    over = new AbortController();
    const sent: Int16Array[] = [];
    const heard = new EventQueue<Int16Array>(over.signal);
    const audio: CallAudio = {
      sampleRateHz: LINE_HZ,
      heard,
      send: (frame) => sent.push(frame),
      clear: () => {},
    };
    const keys: string[] = [];
    const voice = new LevelVoice(levels);
    // As in calls: the synthesizer that is asked for the words reports a failure once.
    const list = [{ provider, open: async () => voice }];
    const speaker = new FallbackSynthesizer(new Candidates('synthesizer', list, new ProviderHealth()));
    const setup = { language: `test-${Math.random()}`, hearsKeys, onKey: (key: string) => keys.push(key) };
    const own = spoken && { language: 'pt-BR', speaker: { userId: 1, voice: spoken as VoiceSettings } };
    announcer = new LineAnnouncer(audio, speaker, { ...setup, ...own, signal: over.signal });
    announcer.start((error) => {
      throw error;
    });
    /** The levels that went out, one for each stretch; 0 is silence. */
    const stretches = () => {
      const levelsSent = sent.map((frame) => Math.round((frame[80] ?? 0) / 1_000));
      return levelsSent.filter((level, at) => level !== levelsSent[at - 1]);
    };
    return { announcer, voice, sent, heard, keys, stretches };
  }

  it('says phrases in their order, each followed by its pause', async () => {
    const { announcer: says, stretches, voice, sent } = open({ '4': 4_000, '2': 2_000 });
    const before = sent.length;
    await says.say([
      { text: '4', pauseMs: 200 },
      { text: '2', pauseMs: 200 },
      { text: '4', pauseMs: 200 },
    ]);
    expect(
      stretches()
        .filter((level, at) => level !== 0 || at > 0)
        .slice(-6),
    ).toEqual([4, 0, 2, 0, 4, 0]);
    // Of 900 ms, give or take how busy the machine is.
    expect(sent.length - before).toBeGreaterThanOrEqual(44);
    // Each is rendered once.
    expect(voice.said).toEqual(['4', '2']);
  });

  it('keeps what a voice has said for that voice as it is set', async () => {
    const said: (readonly string[])[] = [];
    for (const speed of [1, 1.2, 1]) {
      const { announcer: says, voice } = open({ '4': 4_000 }, false, 'shared', {
        voice: { provider: 'shared', code: 'ana' },
        speed,
      });
      await says.say([{ text: '4' }]);
      await says.close();
      said.push(voice.said);
    }
    expect(said).toEqual([['4'], ['4'], []]);
  });

  it('stops when it is cut, and says what comes then', async () => {
    const { announcer: says, stretches } = open({ long: 4_000, next: 2_000 });
    const saying = says.say(Array.from({ length: 20 }, () => ({ text: 'long', pauseMs: 100 })));
    await new Promise((resolve) => setTimeout(resolve, 250));
    says.cut();
    await saying;
    await says.say([{ text: 'next', pauseMs: 40 }]);
    const said = stretches();
    expect(said.filter((level) => level === 4).length).toBeLessThan(5);
    expect(said.filter((level) => level === 2)).toHaveLength(1);
  });

  it('says nothing more once the call is over, and lets go of its voice', async () => {
    const { announcer: says, voice, sent } = open({ long: 4_000 });
    const saying = says.say(Array.from({ length: 20 }, () => ({ text: 'long', pauseMs: 100 })));
    await new Promise((resolve) => setTimeout(resolve, 150));
    over.abort();
    await says.close();
    await saying;
    expect(voice.isClosed).toBe(true);
    const { length } = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toHaveLength(length);
  });

  it('does not wait for the rest of a phrase once the call is over', async () => {
    const { announcer: says, sent } = open({ long: 4_000 });
    const saying = says.say([{ text: 'long', pauseMs: 5_000 }]);
    await until(() => sent.length > 5);
    const overAtMs = performance.now();
    over.abort();
    await saying;
    expect(performance.now() - overAtMs).toBeLessThan(1_000);
  });

  it('throws what its voice throws: no number is proven by silence', async () => {
    await expect(open({}).announcer.say([{ text: 'anything' }])).rejects.toThrow();
  }, 60_000);

  it.each([
    [true, ['7']],
    [false, []],
  ])('hears keys that are tones of the line, where it has such: %p', async (hearsKeys, expected) => {
    const { heard, keys } = open({}, hearsKeys);
    const tones = keypadTones('7', LINE_HZ);
    for (let at = 0; at + FRAME <= tones.length; at += FRAME) heard.push(tones.subarray(at, at + FRAME));
    for (let frame = 0; frame < 10; frame++) heard.push(new Int16Array(FRAME));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(keys).toEqual(expected);
  });
});
