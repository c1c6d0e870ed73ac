import {
  APIConnectionError,
  type APIConnectOptions,
  APIStatusError,
  DEFAULT_API_CONNECT_OPTIONS,
  tts,
} from '@livekit/agents';
import { APIError, type OpenAI } from 'openai';
import { LineStream } from '../line-stream.js';
import { putSound } from '../sound-frames.js';
import { PCM_RATE_HZ, soundOf } from '../http/sound-body.js';

export interface OpenAiVoice {
  readonly model: string;
  readonly voice: string;
  /** 0.25 to 4. */
  readonly speed?: number;
  /** How to speak, in words; for models that understand it. */
  readonly instructions?: string;
}

/**
 * Text to speech by `POST /audio/speech`, heard while it arrives. The plugin's class waits for the whole line first,
 * which is what a customer then waits for.
 */
export class OpenAiSynthesizer extends tts.TTS {
  readonly label = 'prosa.OpenAiSynthesizer';

  constructor(
    private readonly client: OpenAI,
    private readonly manner: OpenAiVoice,
  ) {
    super(PCM_RATE_HZ, 1, { streaming: false });
    this.on('error', () => {});
  }

  override get provider(): string {
    return new URL(this.client.baseURL).host;
  }

  override get model(): string {
    return this.manner.model;
  }

  synthesize(text: string, connOptions?: APIConnectOptions, abortSignal?: AbortSignal): tts.ChunkedStream {
    return new OpenAiChunkedStream(text, this, connOptions ?? DEFAULT_API_CONNECT_OPTIONS, abortSignal);
  }

  stream(): tts.SynthesizeStream {
    throw new Error('This endpoint wants whole lines: see capabilities.streaming');
  }

  /** The line's sound as it comes, mono at `PCM_RATE_HZ`. */
  async request(text: string, signal: AbortSignal): Promise<AsyncIterable<Int16Array>> {
    const { voice, model, speed, instructions } = this.manner;
    const response = await this.client.audio.speech.create(
      { input: text, model, voice, speed, instructions, response_format: 'pcm' },
      { signal },
    );
    const type = response.headers.get('content-type') ?? '';
    if (!/^(audio\/|application\/octet-stream)/.test(type) || !response.body) {
      throw new APIConnectionError({
        message: `The server answered with ${type || 'nothing'}, not with sound`,
      });
    }
    return soundOf(response.body, type);
  }
}

class OpenAiChunkedStream extends LineStream<OpenAiSynthesizer> {
  readonly label = 'prosa.OpenAiChunkedStream';

  protected async run(): Promise<void> {
    const requestId = `openai-${performance.now()}`;
    try {
      const sound = await this.voice.request(this.inputText, this.abortSignal);
      await putSound(this.queue, requestId, sound, PCM_RATE_HZ);
    } catch (error) {
      if (!this.abortSignal.aborted) throw asLibraryError(error);
    } finally {
      if (!this.queue.closed) this.queue.close();
    }
  }
}

function asLibraryError(error: unknown): Error {
  if (error instanceof APIError && typeof error.status === 'number') {
    return new APIStatusError({ message: error.message, options: { statusCode: error.status } });
  }
  if (error instanceof APIConnectionError) return error;
  return new APIConnectionError({ message: error instanceof Error ? error.message : String(error) });
}
