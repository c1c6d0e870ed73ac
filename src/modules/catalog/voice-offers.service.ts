import { Injectable } from '@nestjs/common';
import type { UnavailableReason } from '../../providers/speech/speech-options.js';
import { SpeechProviderRegistry } from '../../providers/speech/speech-provider-registry.js';
import type { CatalogVoice } from './catalog-schema.js';
import { CatalogService, type VoiceFilter } from './catalog.service.js';

/** A voice, and whether the calls of an account are spoken with it. */
export interface VoiceOffer {
  readonly voice: CatalogVoice;
  /** Null: they are. */
  readonly unavailableReason: UnavailableReason | null;
}

/** Tells of each voice whether it can be spoken with the keys of an account and of the installation. */
@Injectable()
export class VoiceOffersService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly speech: SpeechProviderRegistry,
  ) {}

  /**
   * The voices usable in a mode and for a language. Without a mode, a voice that synthesizers speak is judged by them, and any
   * other by the realtime models of its provider.
   */
  async list(userId: number, filter: VoiceFilter): Promise<VoiceOffer[]> {
    const speech = await this.speech.of(userId);
    return this.catalog.voices(filter).map((voice) => {
      const modes = filter.mode === undefined ? voice.modes : [filter.mode];
      const isSynthesized = modes.some((mode) => mode !== 'multimodal');
      const skill = isSynthesized ? 'synthesizer' : 'realtime';
      return { voice, unavailableReason: speech.unavailable(skill, voice.provider) };
    });
  }
}
