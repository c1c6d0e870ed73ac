import { createRequire } from 'node:module';
import type { stt, tts } from '@livekit/agents';
import type { RecognizerOptions, SpeechSkill, SynthesizerOptions } from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import { baseLanguage, onlyLanguage } from '../vendor-provider.js';
import { findLocalModels, type LocalEars, type LocalModels, type LocalVoice } from './local-models.js';
import { LocalProcess } from './local-process.js';

/** Samples of it that a model is loaded with. */
const SILENCE = 8_000;

const NONE: LocalModels = { voices: [], ears: [] };

/** Speech models of this machine: no vendor hears a word. */
export class LocalSpeechProvider implements SpeechProvider {
  readonly code = 'local';
  readonly name = 'Local models';
  readonly skills: ReadonlySet<SpeechSkill>;
  readonly obstacle: string | null;
  private readonly models: LocalModels;
  private readonly loaded = new Map<string, Promise<unknown>>();
  /** Two, so that a long sentence that is spoken does not keep an utterance waiting. */
  private readonly mouth = new LocalProcess();
  private readonly hearing = new LocalProcess();

  constructor(folder: string | undefined) {
    const { models, obstacle } = look(folder);
    this.models = models;
    this.obstacle = obstacle;
    const skills: SpeechSkill[] = ['recognizer', 'synthesizer'];
    // Without an obstacle, it can do what there are models for.
    this.skills = new Set(skills.filter((skill) => obstacle !== null || this.modelsFor(skill) > 0));
  }

  async synthesizer({ voiceCode, language, speed }: SynthesizerOptions): Promise<tts.TTS> {
    const { LocalSynthesizer } = await import('./local-speech.js');
    const { SYNTHESIZER_RATE_HZ } = await import('../fallback/speak-with.js');
    const [name, speaker] = voiceCode.split(':');
    const voice = this.models.voices.find((candidate) => candidate.name === name) ?? this.voiceFor(language);
    const manner = { voice, speaker: Number(speaker ?? 0) || 0, speed: speed ?? 1, language };
    await this.once(voice.name, () => this.mouth.run({ task: 'speak', text: 'OK.', ...manner }));
    return new LocalSynthesizer(this.mouth, manner, SYNTHESIZER_RATE_HZ);
  }

  async recognizer({ model, languages }: RecognizerOptions): Promise<stt.STT> {
    const { LocalRecognizer } = await import('./local-speech.js');
    const language = onlyLanguage(languages);
    const ears = this.models.ears.find(({ name }) => name === model) ?? this.earsFor(languages[0] ?? 'en');
    const spoken = language === undefined ? null : baseLanguage(language);
    await this.once(ears.name, () =>
      this.hearing.run({
        task: 'hear',
        ears,
        language: spoken,
        samples: new Float32Array(SILENCE),
        sampleRateHz: 16_000,
      }),
    );
    return new LocalRecognizer(this.hearing, ears, spoken);
  }

  close(): void {
    this.mouth.close();
    this.hearing.close();
  }

  /** A model takes seconds to load: not within the deadline of a call's first sentence. */
  private async once(model: string, use: () => Promise<unknown>): Promise<void> {
    const loading = this.loaded.get(model) ?? use();
    this.loaded.set(model, loading);
    try {
      await loading;
    } catch (error) {
      this.loaded.delete(model);
      throw error;
    }
  }

  private modelsFor(skill: SpeechSkill): number {
    return skill === 'recognizer' ? this.models.ears.length : this.models.voices.length;
  }

  private voiceFor(language: string): LocalVoice {
    return bestFor(this.models.voices, language);
  }

  private earsFor(language: string): LocalEars {
    return bestFor(this.models.ears, language);
  }
}

/** The language with its region, the language, a model of several languages, or else any: rather that than nothing. */
function bestFor<T extends { readonly language: string | null }>(models: readonly T[], language: string): T {
  const base = baseLanguage(language);
  const best =
    models.find((model) => model.language === language) ??
    models.find((model) => model.language !== null && baseLanguage(model.language) === base) ??
    models.find((model) => model.language === null) ??
    models[0];
  if (!best) throw new Error('A provider without models has an obstacle');
  return best;
}

function look(folder: string | undefined): { models: LocalModels; obstacle: string | null } {
  if (folder === undefined) return { models: NONE, obstacle: 'SPEECH_MODELS_DIR is not set' };
  if (!isInstalled()) {
    return { models: NONE, obstacle: 'the optional package sherpa-onnx-node is not installed' };
  }
  try {
    const models = findLocalModels(folder);
    const isEmpty = models.voices.length + models.ears.length === 0;
    return {
      models,
      obstacle: isEmpty ? `there is no speech model in ${folder}, see docs/how-to/local-speech.md` : null,
    };
  } catch (error) {
    return { models: NONE, obstacle: `${folder} cannot be read (${String(error)})` };
  }
}

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('sherpa-onnx-node');
    return true;
  } catch {
    return false;
  }
}
