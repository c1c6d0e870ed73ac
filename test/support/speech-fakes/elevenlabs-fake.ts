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
  protected override readonly keyPath = '/v1/models';
  readonly texts: string[] = [];
  readonly voiceSettings: Record<string, unknown>[] = [];

  /** A second of sound each tenth of a second, until the client leaves. */
  private goOn(client: WebSocket, contextId: string | undefined): void {
    const audio = tone(1).toString('base64');
    const timer = setInterval(() => this.send(client, { audio, contextId }), 100);
    client.once('close', () => clearInterval(timer));
  }

  protected override shapesFor({ context_id: contextId }: ClientMessage): readonly unknown[] {
    return [
      { audio: 5, contextId },
      { audio: {}, contextId },
      { audio: '%%%', contextId },
      { audio: 'A', contextId },
      { contextId, alignment: { chars: 5, charStartTimesMs: {}, charDurationsMs: null } },
      { contextId: 5, audio: 'AAAA' },
      { contextId: {}, isFinal: 'no' },
    ];
  }

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
      if (failing === 'endless') return this.goOn(client, contextId);
    }
    if (failing === 'endless') return;
    if (isClosed && failing !== 'break') this.send(client, { isFinal: true, contextId });
  }
}
