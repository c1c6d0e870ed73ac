import { beforeAll, describe, expect, it } from '@jest/globals';
import { initializeLogger, tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { Candidates, ProviderHealth } from '../../providers/speech/fallback/candidates.js';
import { FallbackSynthesizer } from '../../providers/speech/fallback/fallback-synthesizer.js';
import { phraseSound, render } from './phrase-sounds.js';

const RATE_HZ = 24_000;

class ConstantVoice extends tts.TTS {
  readonly label = 'test.ConstantVoice';
  said = 0;
  readonly texts: string[] = [];

  /** @param level of every sample; null: it fails */
  constructor(public level: number | null) {
    super(RATE_HZ, 1, { streaming: false });
  }

  synthesize(text: string): tts.ChunkedStream {
    this.said++;
    this.texts.push(text);
    return new ConstantStream(text, this);
  }

  stream(): tts.SynthesizeStream {
    throw new Error('not needed');
  }
}

class ConstantStream extends tts.ChunkedStream {
  readonly label = 'test.ConstantStream';

  constructor(
    text: string,
    private readonly owner: ConstantVoice,
  ) {
    super(text, owner);
  }

  protected async run(): Promise<void> {
    const { level } = this.owner;
    if (level === null) throw new Error('The voice is away.');
    const frame = new AudioFrame(new Int16Array(2_400).fill(level), RATE_HZ, 1, 2_400);
    this.queue.put({ requestId: 'r', segmentId: 'r', frame, final: true });
    this.queue.close();
  }
}

function voiceOf(...voices: readonly ConstantVoice[]): FallbackSynthesizer {
  const list = voices.map((voice, index) => ({ provider: `provider-${index}`, open: async () => voice }));
  return new FallbackSynthesizer(new Candidates('synthesizer', list, new ProviderHealth()));
}

describe('phraseSound', () => {
  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

  it('fails when no voice speaks, and keeps no silence for later calls', async () => {
    const only = new ConstantVoice(null);
    await expect(phraseSound(voiceOf(only), 'kept', 'Um momento.', RATE_HZ)).rejects.toThrow('could speak');
    only.level = 500;
    await expect(phraseSound(voiceOf(only), 'kept', 'Um momento.', RATE_HZ)).resolves.toHaveLength(2_400);
  });

  it('keeps what the voice itself said, and not what was said by who stood in for it', async () => {
    const [own, other] = [new ConstantVoice(null), new ConstantVoice(900)];
    expect((await phraseSound(voiceOf(own, other), 'own', 'Certo.', RATE_HZ))[100]).toBe(900);
    own.level = 300;
    expect((await phraseSound(voiceOf(own, other), 'own', 'Certo.', RATE_HZ))[100]).toBe(300);
    const { said } = own;
    await phraseSound(voiceOf(own, other), 'own', 'Certo.', RATE_HZ);
    expect(own.said).toBe(said);
  });

  it('keeps what was said with the key of an account for that key alone', async () => {
    const levelOf = async (level: number, version?: string) => {
      const own = version === undefined ? undefined : { version, failed: () => {} };
      const list = [{ provider: 'shared', open: async () => new ConstantVoice(level), ...(own && { own }) }];
      const voice = new FallbackSynthesizer(new Candidates('synthesizer', list, new ProviderHealth()));
      return (await phraseSound(voice, 'same', 'Certo.', RATE_HZ))[100];
    };
    expect(await levelOf(100, 'of-ana')).toBe(100);
    expect(await levelOf(200, 'of-bia')).toBe(200);
    expect(await levelOf(300)).toBe(300);
    // Known by now, whatever would be said.
    expect([await levelOf(0, 'of-ana'), await levelOf(0, 'of-bia'), await levelOf(0)]).toEqual([
      100, 200, 300,
    ]);
  });
});

describe('render', () => {
  it('does not take silence for a greeting', async () => {
    await expect(render(voiceOf(new ConstantVoice(null)), 'Bom dia.')).rejects.toThrow('could speak');
  });

  it('has what is written in Markdown said as answers are', async () => {
    const voice = new ConstantVoice(1);
    const { text } = await render(
      voiceOf(voice),
      '**Oi!** 😀 Aqui é a _Lia_, [da clínica](https://a.br). Tecle #.',
    );
    expect(voice.texts).toEqual(['Oi! Aqui é a Lia, da clínica. Tecle #.']);
    expect(text).toContain('**Oi!**');
  });

  it('asks no voice where there is nothing to say', async () => {
    const voice = new ConstantVoice(1);
    expect((await render(voiceOf(voice), '🎉 ***')).samples).toHaveLength(0);
    expect(voice.said).toBe(0);
  });
});
