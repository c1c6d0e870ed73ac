import type { llm, stt, tts } from '@livekit/agents';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { SpeechConfig } from '../../config/config.js';
import { type Candidate, ProviderHealth, reasonOf } from './fallback/candidates.js';
import { SandboxSpeechProvider } from './sandbox/sandbox-provider.js';
import { SpeechUnavailableError } from './speech-error.js';
import type {
  RealtimeOptions,
  RecognizerOptions,
  SpeechSkill,
  SynthesizerOptions,
} from './speech-options.js';
import type { SpeechProvider } from './speech-provider.js';
import { vendorsOf } from './vendors.js';

/**
 * Every provider of speech this process could use, and the way to them. Making it loads no speech library, so that a process
 * without calls can ask what is offered; the first call that speaks loads what it needs.
 *
 * Where no key is set and there is no local model, the sandbox stands in for whoever is asked for.
 */
@Injectable()
export class SpeechProviderRegistry implements OnApplicationShutdown {
  private readonly logger = new Logger(SpeechProviderRegistry.name);
  private readonly health = new ProviderHealth();
  private readonly vendors: readonly SpeechProvider[];
  readonly sandbox = new SandboxSpeechProvider();

  constructor(config: SpeechConfig) {
    this.vendors = vendorsOf(config);
  }

  /** Codes of the providers that can be used here, in the order in which they stand in for one another. */
  offered(skill: SpeechSkill): string[] {
    return this.usable(skill).map(({ code }) => code);
  }

  /** Whether calls can be heard at all: false where the sandbox is the only one and its package is missing. */
  canSpeak(): boolean {
    return this.offered('synthesizer').length > 0 && this.offered('recognizer').length > 0;
  }

  /**
   * Why a provider cannot be used, as a sentence for the operator; null when it can.
   *
   * @param provider a code of the catalogue, also an unknown one
   */
  whyNot(skill: SpeechSkill, provider: string): string | null {
    const known = [...this.vendors, this.sandbox].find(({ code }) => code === provider);
    if (!known) return `${provider} cannot be used: this version has no adapter for it.`;
    if (!known.skills.has(skill)) return `${known.name} cannot be used: it has no ${skill}.`;
    return known.obstacle && `${known.name} cannot be used: ${known.obstacle}.`;
  }

  /**
   * Speech to text for one call, which closes it. It always takes a stream. When the provider fails, or cannot be used,
   * the next one that is offered takes over, the sandbox last.
   *
   * @throws SpeechUnavailableError when there is none at all
   */
  async recognizer(options: RecognizerOptions): Promise<stt.STT> {
    const list = this.candidates('recognizer', options.provider, (provider) =>
      present(provider.recognizer?.(ownModelOnly(options, provider))),
    );
    const { openRecognizer } = await import('./fallback/open.js');
    return openRecognizer(list, this.health, options.vad);
  }

  /**
   * Text to speech for one call, which closes it: mono at 24 kHz. When the provider fails, or cannot be used, the next one
   * that is offered takes over with a voice of the same gender, the sandbox last.
   *
   * @throws SpeechUnavailableError when there is none at all
   */
  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    const list = this.candidates('synthesizer', options.provider, (provider) =>
      present(provider.synthesizer?.(ownVoiceOnly(options, provider))),
    );
    const { openSynthesizer } = await import('./fallback/open.js');
    return openSynthesizer(list, this.health);
  }

  /**
   * A model that hears and answers, for one call, which closes it. Nobody stands in for it here: whoever asks goes on without
   * it, and says so by `realtimeFailed`.
   *
   * @throws SpeechUnavailableError saying what is missing
   */
  async realtime(options: RealtimeOptions): Promise<llm.RealtimeModel> {
    const reason = this.whyNot('realtime', options.provider);
    const provider = this.vendors.find(({ code }) => code === options.provider);
    if (reason !== null || !provider?.realtime) {
      throw new SpeechUnavailableError(reason ?? `${options.provider} has no realtime model.`);
    }
    const { ensureAgentsLogger } = await import('./agents-logger.js');
    ensureAgentsLogger();
    return provider.realtime(options);
  }

  /** Whether a realtime model failed a moment ago, so that a call is better begun without it. */
  isRealtimeResting(model: RealtimeName): boolean {
    return this.health.isResting(realtimeKey(model));
  }

  /** A call has lost its realtime model, all tries included. Calls that begin within the next half minute go without it. */
  realtimeFailed(model: RealtimeName, failure: unknown): void {
    const rests = this.health.failed(realtimeKey(model), failure);
    const { provider, code } = model;
    this.logger.warn({
      msg: 'Realtime model failed',
      provider,
      model: code,
      rests,
      reason: reasonOf(failure),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.vendors, this.sandbox].map(async (provider) => provider.close?.()));
  }

  private candidates<T>(
    skill: 'recognizer' | 'synthesizer',
    wanted: string,
    openWith: (provider: SpeechProvider) => Promise<T>,
  ): Candidate<T>[] {
    const usable = this.usable(skill);
    const reason = this.whyNot(skill, wanted);
    if (usable.length === 0) {
      throw new SpeechUnavailableError(`${reason ?? ''} Nor can the sandbox: ${this.sandbox.obstacle}.`);
    }
    if (reason !== null && usable[0] !== this.sandbox) {
      this.logger.warn({
        msg: 'Another provider of speech stands in',
        skill,
        reason,
        provider: usable[0]?.code,
      });
    }
    const inOrder = [
      ...usable.filter(({ code }) => code === wanted),
      ...usable.filter(({ code }) => code !== wanted),
    ];
    return inOrder.map((provider) => ({ provider: provider.code, open: () => openWith(provider) }));
  }

  private usable(skill: SpeechSkill): SpeechProvider[] {
    return [...this.vendors, this.sandbox].filter(
      (provider) => provider.skills.has(skill) && provider.obstacle === null,
    );
  }
}

type RealtimeName = Pick<RealtimeOptions, 'provider'> & { readonly code: string };

/** Each model rests alone, and so do its provider's ears and voices: they are other services of it. */
function realtimeKey({ provider, code }: RealtimeName): string {
  return `realtime:${provider}/${code}`;
}

/** A model's name means something to its own provider alone. */
function ownModelOnly<T extends { readonly provider: string; readonly model?: string }>(
  options: T,
  { code }: SpeechProvider,
): T {
  return options.provider === code ? options : { ...options, model: undefined };
}

/** So does a voice's. Whoever stands in chooses one of the same gender. */
function ownVoiceOnly(options: SynthesizerOptions, provider: SpeechProvider): SynthesizerOptions {
  return options.provider === provider.code ? options : { ...options, model: undefined, voiceCode: '' };
}

/** Who has a skill has its method too; see `SpeechProvider`. */
function present<T>(opening: Promise<T> | undefined): Promise<T> {
  return opening ?? Promise.reject(new SpeechUnavailableError('The provider has no such method.'));
}
