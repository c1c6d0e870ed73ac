import { Injectable } from '@nestjs/common';
import { SpeechProviderRegistry } from '../../providers/speech/speech-provider-registry.js';
import type { CatalogLanguage, CatalogVoice } from '../catalog/catalog-schema.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { VoiceClientService, VoiceProcessGoneError } from '../voice-workers/voice-client.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { sampleTextIn } from './sample-texts.js';
import {
  NoSampleProcessError,
  NoVoiceSampleError,
  VoiceNotFoundError,
  VoiceSampleFailedError,
} from './voice-samples.errors.js';

/** Lets people hear the voices of the catalogue, spoken by a voice process. */
@Injectable()
export class VoiceSamplesService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly speech: SpeechProviderRegistry,
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
  ) {}

  /**
   * A greeting, as a WAV file.
   *
   * @param languageId of the greeting; left out, or one that the voice does not speak: the first language of the voice
   * @throws VoiceNotFoundError | NoVoiceSampleError | NoSampleProcessError | VoiceSampleFailedError
   */
  async speak(userId: number, voiceId: number, languageId?: number): Promise<Buffer> {
    const voice = this.catalog.findVoice(voiceId) ?? VoiceNotFoundError.throw();
    if (voice.modes.every((mode) => mode === 'multimodal')) throw new NoVoiceSampleError('only_in_calls');
    const reason = (await this.speech.of(userId)).unavailable('synthesizer', voice.provider);
    if (reason !== null) throw new NoVoiceSampleError(reason);
    const process = (await this.processes.findAny()) ?? NoSampleProcessError.throw();
    const { iso_2: code, locale } = this.languageOf(voice, languageId);
    const { provider, provider_voice: voiceCode, gender } = voice;
    const sample = { userId, provider, voiceCode, gender, language: locale, text: sampleTextIn(code) };
    const sound = await this.client.sample(process, sample).catch((error: unknown) => {
      throw error instanceof VoiceProcessGoneError
        ? new NoSampleProcessError()
        : new VoiceSampleFailedError(error);
    });
    if (!sound) throw new VoiceSampleFailedError();
    return sound;
  }

  private languageOf(voice: CatalogVoice, languageId?: number): CatalogLanguage {
    const asked = languageId === undefined ? null : this.catalog.findLanguage(languageId);
    if (asked && this.catalog.speaks(voice, asked)) return asked;
    const [first] = this.catalog.languagesOf(voice) ?? this.catalog.languages();
    if (!first) throw new VoiceNotFoundError();
    return first;
  }
}
