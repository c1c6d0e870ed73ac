import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import type { Failing, VendorFake } from '../support/speech-fakes/vendor-fake.js';
import { say } from '../support/voice/vendor-talk.js';
import { until } from '../support/until.js';

/** A vendor that speaks one line a request, and a server that speaks its protocol. */
interface SynthesizerSubject {
  readonly provider: string;
  readonly makeFake: () => VendorFake & { readonly abandoned: number };
  /** The environment by which the vendor is reached. */
  readonly environment: (url: string) => Record<string, string>;
  /** What the server was asked to say, as the customer would hear it. */
  readonly textsOf: (fake: VendorFake) => readonly string[];
}

const TEXT = 'Bom dia, aqui fala a assistente da clínica. Em que posso ajudar hoje?';
/** What the sandbox itself may take for the text on a busy machine. */
const SANDBOX_MS = 8_000;
const SECONDS_PER_CHARACTER = 0.06;

/** The rules that each such adapter keeps. */
export function describeSynthesizer(name: string, subject: SynthesizerSubject): void {
  describe(`the voice of ${name}`, () => {
    let fake: ReturnType<SynthesizerSubject['makeFake']>;
    let registry: SpeechProviderRegistry;

    beforeEach(async () => {
      fake = subject.makeFake();
      await fake.start();
      const { speech, security } = configFrom(parseEnvironment(subject.environment(fake.url)));
      registry = new SpeechProviderRegistry(speech, security);
    });
    afterEach(async () => {
      await registry.onApplicationShutdown();
      await fake.stop();
    });

    const open = (more: object = {}) =>
      registry.installation.synthesizer({
        provider: subject.provider,
        voiceCode: 'a-voice',
        language: 'pt-BR',
        gender: 'female',
        ...more,
      });

    it('says the whole text, as sound of the rate of calls', async () => {
      const { seconds, provider } = await say(await open(), TEXT);
      expect(provider).toBe(name);
      expect(seconds).toBeCloseTo(TEXT.replace('. Em', '.Em').length * SECONDS_PER_CHARACTER, 0);
      expect(subject.textsOf(fake).join(' ')).toBe(TEXT);
    });

    it('says signs as signs, whatever they mean in the language of the request', async () => {
      const text = `Preço < R$ 5 & "frete" > 2 <break time="9s"/> d'água \u0007fim ]]>`;
      await say(await open(), text);
      const said = subject.textsOf(fake).join(' ');
      expect(said.replace(/[\s\u0007]+/g, ' ').trim()).toBe(text.replace(/[\s\u0007]+/g, ' ').trim());
    });

    it.each<Failing>(['refuse', 'unpaid', 'limit', 'down', 'reset', 'break', 'silence', 'garbage'])(
      'is replaced within a bounded time when it fails (%s), and rests',
      async (failing) => {
        fake.failing = failing;
        const began = performance.now();
        const { seconds, provider } = await say(await open(), TEXT);
        expect(provider).toBe('sandbox');
        expect(seconds).toBeGreaterThan(3);
        expect(performance.now() - began).toBeLessThan(8_000 + SANDBOX_MS);
        const asked = fake.keysAsked.length;
        expect((await say(await open(), 'Outra ligação.')).provider).toBe('sandbox');
        expect(fake.keysAsked).toHaveLength(asked);
      },
    );

    it('closes the request when the customer interrupts', async () => {
      fake.failing = 'endless';
      const voice = await open();
      const stream = voice.stream();
      stream.pushText(TEXT);
      stream.endInput();
      for await (const audio of stream) if (typeof audio !== 'symbol') break;
      stream.close();
      await until(() => fake.abandoned > 0, 5_000);
      await sleep(50);
      await voice.close();
    });
  });
}
