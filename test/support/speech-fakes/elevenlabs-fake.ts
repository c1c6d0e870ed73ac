import type { WebSocket } from 'ws';
import { tone, VendorFake } from './vendor-fake.js';

interface ClientMessage {
  readonly text?: string;
  readonly context_id?: string;
  readonly close_context?: boolean;
  readonly voice_settings?: Record<string, unknown>;
}

const SECONDS_PER_CHARACTER = 0.06;

/**
 * Text to speech with several contexts on one connection. Messages as documented:
 * https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input
 * (client: initialise a context with " ", then text, `flush`, `close_context`; server: `audio`, `isFinal`, `contextId`).
 */
export class ElevenLabsFake extends VendorFake {
  readonly texts: string[] = [];
  readonly voiceSettings: Record<string, unknown>[] = [];

  protected receive(client: WebSocket, message: ClientMessage): void {
    const { text, context_id: contextId, close_context: isClosed, voice_settings: settings } = message;
    const failing = this.failingNow(client);
    if (settings) this.voiceSettings.push(settings);
    if (text?.trim()) {
      this.texts.push(text.trim());
      const audio = tone(text.length * SECONDS_PER_CHARACTER);
      if (failing === 'break') {
        this.send(client, { audio: audio.subarray(0, 24_000).toString('base64'), contextId });
        setTimeout(() => client.terminate(), 50);
        return;
      }
      this.send(client, { audio: audio.toString('base64'), contextId });
    }
    if (isClosed && failing !== 'break') this.send(client, { isFinal: true, contextId });
  }
}
