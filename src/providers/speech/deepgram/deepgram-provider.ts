import type { stt } from '@livekit/agents';
import type { RecognizerOptions, SpeechSkill } from '../speech-options.js';
import type { SpeechProvider } from '../speech-provider.js';
import { onlyLanguage, VendorProvider } from '../vendor-provider.js';

const MODEL = 'nova-3';
/** What this provider calls "several languages". */
const SEVERAL = 'multi';

export class DeepgramProvider extends VendorProvider implements SpeechProvider {
  readonly code = 'deepgram';
  readonly name = 'Deepgram';
  readonly skills: ReadonlySet<SpeechSkill> = new Set(['recognizer']);
  protected readonly keyName = 'DEEPGRAM_API_KEY';

  async recognizer({ model, languages, phrases }: RecognizerOptions): Promise<stt.STT> {
    const { STT } = await import('@livekit/agents-plugin-deepgram');
    return new STT({
      apiKey: this.apiKey,
      model: model ?? MODEL,
      language: onlyLanguage(languages) ?? SEVERAL,
      keyterm: [...(phrases ?? [])],
      ...(this.baseUrl === undefined ? {} : { baseUrl: this.baseUrl.replace(/^http/, 'ws') }),
    });
  }
}
