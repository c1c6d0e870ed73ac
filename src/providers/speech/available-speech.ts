import type { llm, stt, tts } from '@livekit/agents';
import { Logger } from '@nestjs/common';
import {
  type Candidate,
  type OwnKey,
  type ProviderHealth,
  restingName,
  tellableReason,
} from './fallback/candidates.js';
import type { SandboxSpeechProvider } from './sandbox/sandbox-provider.js';
import { SpeechUnavailableError } from './speech-error.js';
import type {
  HeardVoice,
  RealtimeOptions,
  RecognizerOptions,
  SpeechSkill,
  SynthesizerOptions,
  UnavailableReason,
} from './speech-options.js';
import type { SpeechProvider } from './speech-provider.js';

/** A provider that is asked with an account's key. */
export interface OwnProvider {
  readonly provider: SpeechProvider;
  readonly key: OwnKey;
  /** False for a key that this installation cannot decrypt: no other provider replaces it. */
  readonly isReadable: boolean;
}

/** A provider as the calls of one account may use it. */
interface Source {
  readonly provider: SpeechProvider;
  readonly own?: OwnKey;
  /** Why it cannot be used, as the end of a sentence; null when it can. */
  readonly obstacle: string | null;
}

type RealtimeName = Pick<RealtimeOptions, 'provider'> & { readonly code: string };

/**
 * What the calls of one account hear and speak with: the providers for which it has brought a key, with that key, and all
 * others with the installation's. A provider for which the account has a key is never asked with another one. Providers stand
 * in for one another: first those of the account, then the installation's, the sandbox last.
 *
 * Making it loads no speech library; the first call that speaks loads what it needs.
 */
export class AvailableSpeech {
  private readonly logger = new Logger(AvailableSpeech.name);
  private readonly own: readonly Source[];
  private readonly others: readonly Source[];

  /**
   * @param vendors with the installation's keys, in the order in which they stand in for one another
   * @param health of all providers that calls of this process use, with any key
   * @param own of the account; empty where the installation's alone are used
   */
  constructor(
    vendors: readonly SpeechProvider[],
    private readonly sandbox: SandboxSpeechProvider,
    private readonly health: ProviderHealth,
    own: readonly OwnProvider[] = [],
  ) {
    this.own = own.map(({ provider, key, isReadable }) => ({
      provider,
      own: key,
      obstacle: isReadable ? provider.obstacle : 'the key of the account cannot be opened',
    }));
    this.others = [...vendors, sandbox].map((provider) => ({ provider, obstacle: provider.obstacle }));
  }

  /** Codes of the providers that can be used, in the order in which they stand in for one another. */
  offered(skill: SpeechSkill): string[] {
    return this.usable(skill).map(({ provider }) => provider.code);
  }

  /** Whether calls can be heard at all: false where the sandbox is the only one and its package is missing. */
  canSpeak(): boolean {
    return this.offered('synthesizer').length > 0 && this.offered('recognizer').length > 0;
  }

  /**
   * Why a provider cannot be used, as a sentence for the operator; null when it can.
   *
   * @param code of the catalogue, also an unknown one
   */
  whyNot(skill: SpeechSkill, code: string): string | null {
    const known = [...this.own, ...this.others].find(({ provider }) => provider.code === code);
    if (!known) return `${code} cannot be used: this version has no adapter for it.`;
    const { name } = known.provider;
    const source = this.sources(skill).find(({ provider }) => provider.code === code);
    if (!source) return `${name} cannot be used: it has no ${skill}.`;
    return source.obstacle && `${name} cannot be used: ${source.obstacle}.`;
  }

  /** Why a provider is not asked, as one word of the API; null: it is. @param code of the catalogue, also an unknown one */
  unavailable(skill: SpeechSkill, code: string): UnavailableReason | null {
    const source = this.sources(skill).find(({ provider }) => provider.code === code);
    if (!source) return 'no_adapter';
    return source.obstacle === null ? null : 'no_key';
  }

  /** Whether the provider is asked with a key of the account. @param code of the catalogue, also an unknown one */
  usesOwnKey(skill: SpeechSkill, code: string): boolean {
    return this.sources(skill).some(({ provider, own }) => provider.code === code && own !== undefined);
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
   * Text to speech for one call, which closes it: mono at 24 kHz. When the provider fails, or cannot be used, the
   * next one takes over with a voice of the same gender; the sandbox is last.
   *
   * @throws SpeechUnavailableError when there is none at all
   */
  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    const list = this.candidates('synthesizer', options.provider, (provider) =>
      present(provider.synthesizer?.(ownVoiceOnly(options, provider))),
    );
    const { openSynthesizer } = await import('./fallback/open.js');
    const { language, onHeard } = options;
    const onProvider = onHeard && ((code: string) => onHeard(this.heardVoice(options, code)));
    return openSynthesizer(list, this.health, language, onProvider);
  }

  /** The voice of the provider that speaks, which may be another one than was asked for. */
  private heardVoice(options: SynthesizerOptions, code: string): HeardVoice {
    const provider = this.usable('synthesizer').find(
      ({ provider: usable }) => usable.code === code,
    )?.provider;
    const voiceCode = provider ? ownVoiceOnly(options, provider).voiceCode : '';
    const isOwn = code === options.provider;
    return {
      provider: code,
      providerName: provider?.name ?? code,
      code: voiceCode,
      reason: isOwn ? null : (this.unavailable('synthesizer', options.provider) ?? 'failed'),
    };
  }

  /**
   * A model that hears and answers, for one call, which closes it. No other model replaces it here: the caller continues without
   * it, and says so by `realtimeFailed`.
   *
   * @throws SpeechUnavailableError saying what is missing
   */
  async realtime(options: RealtimeOptions): Promise<llm.RealtimeModel> {
    const reason = this.whyNot('realtime', options.provider);
    const provider = this.realtimeSource(options.provider)?.provider;
    if (reason !== null || !provider?.realtime) {
      throw new SpeechUnavailableError(reason ?? `${options.provider} has no realtime model.`);
    }
    const { ensureAgentsLogger } = await import('./agents-logger.js');
    ensureAgentsLogger();
    return provider.realtime(options);
  }

  /** Whether a realtime model failed a moment ago, so that a call is better begun without it. */
  isRealtimeResting(model: RealtimeName): boolean {
    return this.health.isResting(this.realtimeName(model));
  }

  /** A call has lost its realtime model, all tries included. Calls that begin within the next half minute go without it. */
  realtimeFailed(model: RealtimeName, failure: unknown): void {
    const own = this.realtimeSource(model.provider)?.own;
    const rests = this.health.failed(this.realtimeName(model), failure);
    own?.failed();
    const { provider, code } = model;
    this.logger.warn({
      msg: 'Realtime model failed',
      provider,
      model: code,
      rests,
      reason: tellableReason(failure, own),
    });
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
    if (reason !== null && usable[0]?.provider !== this.sandbox) {
      this.logger.warn({
        msg: 'Another provider of speech is used instead',
        skill,
        reason,
        provider: usable[0]?.provider.code,
      });
    }
    const inOrder = [
      ...usable.filter(({ provider }) => provider.code === wanted),
      ...usable.filter(({ provider }) => provider.code !== wanted),
    ];
    return inOrder.map(({ provider, own }) => ({
      provider: provider.code,
      ...(own ? { own } : {}),
      open: () => openWith(provider),
    }));
  }

  private usable(skill: SpeechSkill): Source[] {
    return this.sources(skill).filter(({ obstacle }) => obstacle === null);
  }

  /** All that have the skill. The installation's key is not used together with one of the account. */
  private sources(skill: SpeechSkill): Source[] {
    const has = ({ provider }: Source) => provider.skills.has(skill);
    const own = this.own.filter(has);
    const owned = new Set(own.map(({ provider }) => provider.code));
    return [...own, ...this.others.filter((other) => has(other) && !owned.has(other.provider.code))];
  }

  private realtimeSource(code: string): Source | undefined {
    return this.sources('realtime').find(({ provider }) => provider.code === code);
  }

  /** Each model rests alone, and so do its provider's ears and voices: they are other services of it. */
  private realtimeName({ provider, code }: RealtimeName): string {
    const own = this.realtimeSource(provider)?.own;
    return `realtime:${restingName(own ? { provider, own } : { provider })}/${code}`;
  }
}

/** A model's name means something to its own provider alone. */
function ownModelOnly<T extends { readonly provider: string; readonly model?: string }>(
  options: T,
  { code }: SpeechProvider,
): T {
  return options.provider === code ? options : { ...options, model: undefined };
}

/** So does a voice's. A provider that replaces it chooses a voice of the same gender. */
function ownVoiceOnly(options: SynthesizerOptions, provider: SpeechProvider): SynthesizerOptions {
  const isOwn = options.provider === provider.code;
  if (isOwn && options.voiceCode !== '') return options;
  const voiceCode = provider.defaultVoice?.(options) ?? '';
  return isOwn ? { ...options, voiceCode } : { ...options, model: undefined, voiceCode };
}

/** Who has a skill has its method too; see `SpeechProvider`. */
function present<T>(opening: Promise<T> | undefined): Promise<T> {
  return opening ?? Promise.reject(new SpeechUnavailableError('The provider has no such method.'));
}
