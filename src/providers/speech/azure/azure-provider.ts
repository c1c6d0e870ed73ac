import type { stt, tts } from '@livekit/agents';
import type { AzureSpeechServer } from '../../../config/config.js';
import type { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import type { RecognizerOptions, SpeechSkill, SynthesizerOptions } from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import { VendorProvider } from '../vendor-provider.js';
import type { AzureResource } from './azure-addresses.js';
import { AZURE_VOICES } from './azure-voices.js';

/** Azure AI Speech. There is no plugin for it: it is asked by its documented protocols. */
export class AzureProvider extends VendorProvider implements SpeechProvider {
  readonly code = 'azure';
  readonly name = 'Azure';
  readonly skills: ReadonlySet<SpeechSkill> = new Set(['recognizer', 'synthesizer']);
  protected readonly keyName = 'AZURE_SPEECH_KEY';

  constructor(
    private readonly azure: AzureSpeechServer,
    private readonly connections: KeepAliveFetch,
  ) {
    super(azure);
  }

  override get obstacle(): string | null {
    if (super.obstacle !== null) return super.obstacle;
    return this.azure.region || this.azure.baseUrl ? null : 'AZURE_SPEECH_REGION is not set';
  }

  async recognizer(options: RecognizerOptions): Promise<stt.STT> {
    const { AzureRecognizer } = await import('./azure-recognizer.js');
    return new AzureRecognizer(this.resource, options);
  }

  defaultVoice({ gender = 'female' }: Pick<SynthesizerOptions, 'gender'>): string {
    return AZURE_VOICES[gender];
  }

  async synthesizer(options: SynthesizerOptions): Promise<tts.TTS> {
    const { azureSynthesizer } = await import('./azure-synthesizer.js');
    return azureSynthesizer(this.resource, this.connections, options);
  }

  private get resource(): AzureResource {
    return { apiKey: this.apiKey, region: this.azure.region, baseUrl: this.baseUrl };
  }
}
