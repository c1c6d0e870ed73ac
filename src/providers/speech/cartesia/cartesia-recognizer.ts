import { APIConnectionError, type AudioBuffer, normalizeLanguage, stt } from '@livekit/agents';
import { waveHeader } from '../../../common/audio/wave-header.js';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import type { KeepAliveFetch } from '../../llm/openai/keep-alive-fetch.js';
import { libraryError, statusError } from '../http/vendor-answer.js';
import { joined } from '../sound-frames.js';
import type { RecognizerOptions } from '../speech-options.js';
import { type CartesiaAccess, cartesiaHeaders, cartesiaLanguage } from './cartesia-api.js';

const MODEL = 'ink-whisper';
const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Speech to text of whole utterances, whose ends our own detector finds: the service's WebSocket does not find them by
 * itself, it waits for `finalize`. Of several languages it gets the main one, as it detects none.
 *
 * @see https://docs.cartesia.ai/api-reference/stt/transcribe
 */
export class CartesiaRecognizer extends stt.STT {
  readonly label = 'prosa.CartesiaRecognizer';
  private readonly language: string;
  private readonly tag: string;

  constructor(
    private readonly access: CartesiaAccess,
    private readonly connections: KeepAliveFetch,
    private readonly options: RecognizerOptions,
  ) {
    super({ streaming: false, interimResults: false, alignedTranscript: false });
    this.on('error', () => {});
    this.tag = options.languages[0] ?? 'en';
    this.language = cartesiaLanguage(this.tag);
  }

  override get provider(): string {
    return 'Cartesia';
  }

  override get model(): string {
    return this.options.model ?? MODEL;
  }

  stream(): stt.SpeechStream {
    throw new Error('These ears take whole utterances: see capabilities.streaming');
  }

  protected async _recognize(buffer: AudioBuffer, abortSignal?: AbortSignal): Promise<stt.SpeechEvent> {
    const { apiKey, baseUrl } = this.access;
    const form = new FormData();
    form.set('file', waveOf(buffer), 'utterance.wav');
    form.set('model', this.model);
    form.set('language', this.language);
    const timeout = timeoutSignal(REQUEST_TIMEOUT_MS);
    try {
      const response = await this.connections.fetch(`${baseUrl}/stt`, {
        method: 'POST',
        headers: cartesiaHeaders(apiKey),
        body: form,
        signal: abortSignal ? AbortSignal.any([abortSignal, timeout]) : timeout,
      });
      const answer = await response.text();
      if (!response.ok) throw statusError(this.provider, response.status);
      return this.eventOf(wordsOf(answer));
    } catch (error) {
      throw libraryError(this.provider, error);
    }
  }

  private eventOf(text: string): stt.SpeechEvent {
    const words = { text, language: normalizeLanguage(this.tag), startTime: 0, endTime: 0, confidence: 0 };
    return { type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [words] };
  }
}

function waveOf(buffer: AudioBuffer): Blob {
  const { data, sampleRate } = joined(Array.isArray(buffer) ? buffer : [buffer]);
  const samples = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return new Blob([new Uint8Array(waveHeader(sampleRate, samples.length)), samples], { type: 'audio/wav' });
}

/** @throws APIConnectionError for what holds no words */
function wordsOf(answer: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch {
    parsed = null;
  }
  const text = typeof parsed === 'object' && parsed !== null && 'text' in parsed ? parsed.text : null;
  if (typeof text !== 'string') {
    throw new APIConnectionError({ message: 'Cartesia answered with something else than words' });
  }
  return text.trim();
}
