import { setTimeout as sleep } from 'node:timers/promises';
import {
  APIConnectionError,
  type APIConnectOptions,
  APIStatusError,
  AudioByteStream,
  normalizeLanguage,
  stt,
} from '@livekit/agents';
import type { RawData, WebSocket } from 'ws';
import { waveHeader } from '../../../common/audio/wave-header.js';
import { RECOGNIZER_RATE_HZ } from '../fallback/hear.js';
import { libraryError } from '../http/vendor-answer.js';
import { openVendorSocket, whenClosed } from '../http/vendor-socket.js';
import { audioMessage, azureId, type AzureMessage, parseMessage, textMessage } from './azure-protocol.js';

const VENDOR = 'Azure';
/** Sound is sent in messages of a tenth of a second. */
const MESSAGES_PER_SECOND = 10;
/** For the last words, once all sound has been sent. */
const LAST_WORDS_MS = 3_000;
/** Times of the service are in units of 100 ns. */
const TICKS_PER_SECOND = 10_000_000;

/** Statuses of a phrase by which the service refuses to go on, as those of HTTP. */
const FAILURES: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Forbidden: 403,
  TooManyRequests: 429,
  Error: 500,
  ServiceTimeout: 503,
};

/** What one connection is opened with. */
export interface RecognitionSetup {
  readonly url: string;
  readonly apiKey: string;
  /** Tag of the main language, which is that of words for which the service names none. */
  readonly language: string;
  /** Body of `speech.context`; null: there is nothing to say. */
  readonly context: object | null;
}

/** One call's audio on its way to the service, and its words on the way back. */
export class AzureSpeechStream extends stt.SpeechStream {
  readonly label = 'prosa.AzureSpeechStream';
  private requestId = azureId();
  private isSpeaking = false;
  private isAllSent = false;

  constructor(
    recognizer: stt.STT,
    private readonly setup: RecognitionSetup,
    private readonly connect: APIConnectOptions,
  ) {
    super(recognizer, RECOGNIZER_RATE_HZ, connect);
  }

  protected async run(): Promise<void> {
    const { url, apiKey } = this.setup;
    const headers = { 'Ocp-Apim-Subscription-Key': apiKey, 'X-ConnectionId': azureId() };
    const socket = await openVendorSocket(VENDOR, url, headers, this.connect.timeoutMs);
    const stop = () => socket.terminate();
    this.abortSignal.addEventListener('abort', stop, { once: true });
    if (this.abortSignal.aborted) stop();
    const over = new AbortController();
    try {
      await Promise.race([
        whenClosed(VENDOR, socket),
        this.listen(socket),
        this.sendAll(socket, over.signal),
      ]);
    } catch (error) {
      if (!this.abortSignal.aborted) throw libraryError(VENDOR, error);
    } finally {
      // A pending read would take audio from the next connection.
      over.abort();
      this.abortSignal.removeEventListener('abort', stop);
      socket.terminate();
    }
  }

  /**
   * Resolves a while after the end of the sound; `listen` ends sooner where the service says that it is done.
   *
   * @param signal aborted when the connection is over
   */
  private async sendAll(socket: WebSocket, signal: AbortSignal): Promise<void> {
    socket.send(textMessage('speech.config', this.requestId, CONFIG));
    this.beginTurn(socket);
    const frames = new AudioByteStream(RECOGNIZER_RATE_HZ, 1, RECOGNIZER_RATE_HZ / MESSAGES_PER_SECOND);
    for (;;) {
      const { value: item, done } = await this.input.next({ signal });
      if (done) break;
      const ready = typeof item === 'symbol' ? frames.flush() : frames.write(item.data);
      for (const { data } of ready) this.sendSound(socket, data);
    }
    for (const { data } of frames.flush()) this.sendSound(socket, data);
    this.isAllSent = true;
    this.sendSound(socket, new Int16Array(0));
    await sleep(LAST_WORDS_MS, undefined, { ref: false });
  }

  /** After the service ends a turn, the audio continues in a new one. */
  private beginTurn(socket: WebSocket): void {
    const { context } = this.setup;
    if (context) socket.send(textMessage('speech.context', this.requestId, context));
    socket.send(audioMessage(this.requestId, waveHeader(RECOGNIZER_RATE_HZ), 'audio/x-wav'));
  }

  private sendSound(socket: WebSocket, { buffer, byteOffset, byteLength }: Int16Array): void {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    if (socket.readyState === socket.OPEN) socket.send(audioMessage(this.requestId, bytes));
  }

  /** Resolves when the service has said the last word of all that was sent. */
  private listen(socket: WebSocket): Promise<void> {
    return new Promise((resolve, reject) => {
      socket.on('message', (data: RawData, isBinary: boolean) => {
        try {
          if (isBinary) throw new APIConnectionError({ message: `${VENDOR} sent bytes in place of words` });
          const message = parseMessage(textOf(data));
          if (message.path !== 'turn.end') this.take(message);
          else if (this.isAllSent) resolve();
          else {
            this.requestId = azureId();
            this.beginTurn(socket);
          }
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  private take({ path, body }: AzureMessage): void {
    if (path === 'speech.startdetected') this.begin();
    else if (path === 'speech.enddetected') this.end();
    else if (path === 'speech.hypothesis' && typeof body.Text === 'string' && body.Text !== '') {
      this.begin();
      this.emitTranscript(stt.SpeechEventType.INTERIM_TRANSCRIPT, body.Text, body);
    } else if (path === 'speech.phrase') this.takePhrase(body);
  }

  private takePhrase(body: AzureMessage['body']): void {
    const status = String(body.RecognitionStatus);
    const failure = FAILURES[status];
    if (failure !== undefined) {
      throw new APIStatusError({
        message: `${VENDOR} could not go on: ${status}`,
        options: { statusCode: failure },
      });
    }
    // Others say that nothing was understood, or that there was nothing.
    if (status !== 'Success' || typeof body.DisplayText !== 'string') return;
    this.begin();
    this.emitTranscript(stt.SpeechEventType.FINAL_TRANSCRIPT, body.DisplayText, body);
    this.end();
  }

  private begin(): void {
    if (this.isSpeaking) return;
    this.isSpeaking = true;
    this.emit({ type: stt.SpeechEventType.START_OF_SPEECH });
  }

  private end(): void {
    if (!this.isSpeaking) return;
    this.isSpeaking = false;
    this.emit({ type: stt.SpeechEventType.END_OF_SPEECH });
  }

  private emitTranscript(type: stt.SpeechEventType, text: string, body: AzureMessage['body']): void {
    const startTime = secondsOf(body.Offset);
    const words = {
      text,
      language: normalizeLanguage(languageOf(body) ?? this.setup.language),
      startTime,
      endTime: startTime + secondsOf(body.Duration),
      confidence: 1,
    };
    this.emit({ type, requestId: this.requestId, alternatives: [words] });
  }

  private emit(event: stt.SpeechEvent): void {
    if (!this.queue.closed) this.queue.put(event);
  }
}

const CONFIG = {
  context: {
    system: { name: 'Prosa', version: '1', build: 'Node', lang: 'TypeScript' },
    os: { platform: 'Node', name: 'Prosa', version: '1' },
    audio: { source: { bitspersample: 16, channelcount: 1, samplerate: RECOGNIZER_RATE_HZ, type: 'Stream' } },
  },
};

function textOf(data: RawData): string {
  return (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString('utf8');
}

/** Of words whose language was detected. */
function languageOf({ PrimaryLanguage: primary }: AzureMessage['body']): string | null {
  const named =
    typeof primary === 'object' && primary !== null && 'Language' in primary ? primary.Language : null;
  return typeof named === 'string' && named !== '' ? named : null;
}

function secondsOf(ticks: unknown): number {
  return typeof ticks === 'number' ? ticks / TICKS_PER_SECOND : 0;
}
