import type { tts } from '@livekit/agents';
import type { SpeechSkill, SynthesizerOptions, VoiceGender } from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import { VendorProvider } from '../vendor-provider.js';

/** The one made for conversations: its first sound comes soonest. */
const MODEL = 'eleven_flash_v2_5';
/** Sarah and George, who speak every language of the model. */
const VOICES: Readonly<Record<VoiceGender, string>> = {
  female: 'EXAVITQu4vr4xnSDxMaL',
  male: 'JBFqnCBsd6RMkjVDRZzb',
};
/** The rate of all voices here. The service has it; the plugin's list of names does not. */
const ENCODING = 'pcm_24000' as 'pcm_22050';
/** How much a voice exaggerates its own style when it may show emotion. */
const EMOTION_STYLE = 0.4;
/** Where an assistant says nothing: the middle of each range. */
const DEFAULT_STABILITY = 0.5;
const DEFAULT_SIMILARITY = 0.75;

export class ElevenLabsProvider extends VendorProvider implements SpeechProvider {
  readonly code = 'elevenlabs';
  readonly name = 'ElevenLabs';
  readonly skills: ReadonlySet<SpeechSkill> = new Set(['synthesizer']);
  protected readonly keyName = 'ELEVEN_API_KEY';

  defaultVoice({ gender = 'female' }: Pick<SynthesizerOptions, 'gender'>): string {
    return VOICES[gender];
  }

  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    const { TTS } = await import('@livekit/agents-plugin-elevenlabs');
    return new TTS({
      apiKey: this.apiKey,
      voiceId: options.voiceCode || this.defaultVoice(options),
      model: options.model ?? MODEL,
      language: options.language,
      encoding: ENCODING,
      voiceSettings: {
        stability: options.stability ?? DEFAULT_STABILITY,
        similarity_boost: options.similarity ?? DEFAULT_SIMILARITY,
        speed: options.speed,
        style: options.emotion ? EMOTION_STYLE : 0,
      },
      ...(this.baseUrl === undefined ? {} : { baseURL: `${this.baseUrl}/v1` }),
    });
  }
}
