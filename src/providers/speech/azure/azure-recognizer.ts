import { type APIConnectOptions, DEFAULT_API_CONNECT_OPTIONS, stt } from '@livekit/agents';
import type { RecognizerOptions } from '../speech-options.js';
import { type AzureResource, detectionUrl, recognitionUrl } from './azure-addresses.js';
import { AzureSpeechStream, type RecognitionSetup } from './azure-speech-stream.js';

/** How many languages the service tells apart in one connection. */
const MAX_DETECTED = 10;

/**
 * Speech to text while the customer speaks, by the service's WebSocket protocol.
 *
 * @see https://learn.microsoft.com/azure/ai-services/speech-service/how-to-recognize-speech and the open source of the
 * Speech SDK for JavaScript, which documents the messages
 */
export class AzureRecognizer extends stt.STT {
  readonly label = 'prosa.AzureRecognizer';
  private readonly setup: RecognitionSetup;

  constructor(resource: AzureResource, options: RecognizerOptions) {
    super({ streaming: true, interimResults: true, alignedTranscript: false });
    this.on('error', () => {});
    this.setup = setupOf(resource, options);
  }

  override get provider(): string {
    return 'Azure';
  }

  override get model(): string {
    return 'conversation';
  }

  stream(options?: { connOptions?: APIConnectOptions }): stt.SpeechStream {
    return new AzureSpeechStream(this, this.setup, options?.connOptions ?? DEFAULT_API_CONNECT_OPTIONS);
  }

  protected async _recognize(): Promise<stt.SpeechEvent> {
    throw new Error('These ears listen all the time: see capabilities.streaming');
  }
}

function setupOf(resource: AzureResource, { languages, phrases = [] }: RecognizerOptions): RecognitionSetup {
  const known = languages.slice(0, MAX_DETECTED);
  const [language = 'en-US'] = known;
  const isDetected = known.length > 1;
  const query = new URLSearchParams(
    isDetected ? { lidEnabled: 'true', format: 'simple' } : { language, format: 'simple' },
  );
  return {
    url: `${isDetected ? detectionUrl(resource) : recognitionUrl(resource)}?${query.toString()}`,
    apiKey: resource.apiKey,
    language,
    context:
      isDetected || phrases.length > 0
        ? { ...hintsOf(phrases), ...(isDetected && detectionOf(known)) }
        : null,
  };
}

function hintsOf(phrases: readonly string[]): object {
  if (phrases.length === 0) return {};
  return { dgi: { groups: [{ type: 'Generic', items: phrases.map((text) => ({ text })) }] } };
}

function detectionOf(languages: readonly string[]): object {
  return {
    phraseDetection: { mode: 'Conversation' },
    languageId: {
      languages,
      mode: 'DetectContinuous',
      onSuccess: { action: 'Recognize' },
      onUnknown: { action: 'None' },
      priority: 'PrioritizeLatency',
    },
    phraseOutput: { interimResults: { resultType: 'Auto' }, phraseResults: { resultType: 'Always' } },
  };
}
