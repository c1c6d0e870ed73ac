import { setTimeout as sleep } from 'node:timers/promises';
import { APIStatusError, tts, USERDATA_TIMED_TRANSCRIPT, type voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { describe, expect, it } from '@jest/globals';
import { ScriptedTts } from '#test/support/voice/scripted-speech.js';
import { ensureAgentsLogger } from '../agents-logger.js';
import { Candidates, ProviderHealth } from './candidates.js';
import { FallbackSynthesizer } from './fallback-synthesizer.js';

const DEADLINES = { firstSoundMs: 500, gapMs: 500, openMs: 200 };

/** A voice that is there after a time. */
function loading(provider: string, ms: number) {
  return {
    provider,
    open: async () => {
      await sleep(ms);
      return new ScriptedTts();
    },
  };
}

/** Speaks until its reader closes the stream. */
class EndlessTts extends ScriptedTts {
  override synthesize(text: string): tts.ChunkedStream {
    return new EndlessSound(text, this);
  }
}

class EndlessSound extends tts.ChunkedStream {
  override label = 'endless';

  protected override async run(): Promise<void> {
    while (!this.queue.closed) {
      for (let count = 0; count < 10; count++) {
        const frame = new AudioFrame(new Int16Array(2_400), 24_000, 1, 2_400);
        this.queue.put({ requestId: 'sound', segmentId: 'sound', frame, final: false });
      }
      await sleep(1);
    }
  }
}

async function secondsOf(...candidates: ReturnType<typeof loading>[]): Promise<number> {
  ensureAgentsLogger();
  const voice = new FallbackSynthesizer(
    new Candidates('synthesizer', candidates, new ProviderHealth()),
    DEADLINES,
  );
  let seconds = 0;
  try {
    for await (const frame of voice.say('Bom dia.', new AbortController().signal))
      seconds += frame.samplesPerChannel / frame.sampleRate;
  } finally {
    await voice.close();
  }
  return seconds;
}

/** What the voice is asked to say, and the words that are given with the sound, for text that comes in chunks. */
async function spokenIn(language: string, chunks: readonly string[]) {
  ensureAgentsLogger();
  const scripted = new ScriptedTts();
  const candidate = { provider: 'local', open: async () => scripted };
  const candidates = new Candidates('synthesizer', [candidate], new ProviderHealth());
  const voice = new FallbackSynthesizer(candidates, DEADLINES, () => {}, language);
  const stream = voice.stream();
  for (const chunk of chunks) stream.pushText(chunk);
  stream.endInput();
  let words = '';
  for await (const audio of stream)
    if (typeof audio !== 'symbol')
      for (const { text } of (audio.frame.userdata[USERDATA_TIMED_TRANSCRIPT] ?? []) as voice.TimedString[])
        words += text;
  await voice.close();
  return { said: scripted.said, words };
}

describe('what a voice says', () => {
  it('is sent sentence by sentence, with the space between them', async () => {
    const text = 'Certo, está anotado. Posso ajudar em mais alguma coisa hoje?';
    const { said, words } = await spokenIn('pt-BR', [text]);
    expect(words).toBe(text);
    expect(said).toEqual(['Certo, está anotado.', 'Posso ajudar em mais alguma coisa hoje?']);
  });

  it('is cut by the rules of its language, wherever the chunks end', async () => {
    const german = 'Kommen Sie am 3. März in die Lindenstr. 8 zu Hr. Vogel. Bis dann also!';
    const { said, words } = await spokenIn('de-DE', german.match(/[^]{1,4}/g) ?? []);
    expect(said).toEqual(['Kommen Sie am 3. März in die Lindenstr. 8 zu Hr. Vogel.', 'Bis dann also!']);
    expect(words).toBe(german);
    const chinese = '预约已经完成了。请您准时到达诊所。';
    expect(await spokenIn('zh-CN', [chinese])).toEqual({
      said: ['预约已经完成了。', '请您准时到达诊所。'],
      words: chinese,
    });
  });
});

describe('a provider that fails', () => {
  const restsAfter = (failure: unknown) => {
    const health = new ProviderHealth();
    const candidates = new Candidates('synthesizer', [loading('vendor', 1), loading('other', 1)], health);
    expect(candidates.leave(candidates.current, failure)).toBe(true);
    return health.isResting('vendor');
  };

  it('is asked last by other calls', () => {
    expect(restsAfter('said nothing')).toBe(true);
    expect(restsAfter(new Error('Unexpected server response: 503'))).toBe(true);
    expect(restsAfter(new APIStatusError({ message: '', options: { statusCode: 401 } }))).toBe(true);
  });

  it('is asked in its turn again after half a minute', () => {
    let nowMs = 0;
    const health = new ProviderHealth(() => nowMs);
    expect(health.failed('vendor', 'said nothing')).toBe(true);
    nowMs = 29_999;
    expect(health.isResting('vendor')).toBe(true);
    nowMs = 30_000;
    expect(health.isResting('vendor')).toBe(false);
  });

  it('is asked by other calls as before where it refused what one assistant had asked for', () => {
    expect(restsAfter(new Error('Unexpected server response: 404'))).toBe(false);
    expect(restsAfter(new APIStatusError({ message: '', options: { statusCode: 400 } }))).toBe(false);
    const cause = new Error('Unexpected server response: 422');
    expect(restsAfter(new Error('It is gone.', { cause }))).toBe(false);
  });
});

describe('a voice that is still being loaded', () => {
  it('is waited for when no other voice can replace it', async () => {
    expect(await secondsOf(loading('local', 500))).toBeCloseTo(0.4, 1);
  });

  it('is left where it does not stop, and the next one says what comes then', async () => {
    ensureAgentsLogger();
    const text = 'Bom dia.';
    const voice = new FallbackSynthesizer(
      new Candidates(
        'synthesizer',
        [{ provider: 'endless', open: async () => new EndlessTts() }, loading('other', 1)],
        new ProviderHealth(),
      ),
    );
    const secondsSaid = async () => {
      let seconds = 0;
      for await (const frame of voice.say(text, new AbortController().signal))
        seconds += frame.samplesPerChannel / frame.sampleRate;
      return seconds;
    };
    expect(await secondsSaid()).toBeCloseTo(5 + text.length * 0.4, 0);
    expect(await secondsSaid()).toBeCloseTo(0.4, 1);
    await voice.close();
  }, 20_000);

  it('is left for the next one where it takes too long', async () => {
    const began = performance.now();
    expect(await secondsOf(loading('local', 60_000), loading('other', 1))).toBeCloseTo(0.4, 1);
    expect(performance.now() - began).toBeLessThan(5_000);
  }, 10_000);

  it('is given up in the end, with the reason', async () => {
    await expect(secondsOf(loading('local', 60_000))).rejects.toThrow(
      'No provider could speak: The voice did not come within 800 ms',
    );
  }, 10_000);
});
