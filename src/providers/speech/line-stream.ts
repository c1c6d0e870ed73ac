import { type APIConnectOptions, tts } from '@livekit/agents';

/** Speaks one whole line; knows the voice by its own type. */
export abstract class LineStream<Voice extends tts.TTS> extends tts.ChunkedStream {
  constructor(
    text: string,
    protected readonly voice: Voice,
    connOptions: APIConnectOptions,
    abortSignal?: AbortSignal,
  ) {
    super(text, voice, connOptions, abortSignal);
  }
}
