import type { WebSocket } from 'ws';
import { VendorFake } from './vendor-fake.js';

const LOUD = 500;
/** Audio without a sound after which this server takes an utterance for ended. */
const QUIET_MS = 200;

/**
 * Live transcription. It understands nothing: each utterance is the next of `transcripts`. Messages as documented:
 * https://developers.deepgram.com/reference/speech-to-text/listen-streaming (client: binary linear16, `KeepAlive`,
 * `Finalize`, `CloseStream`; server: `Metadata`, `SpeechStarted`, `Results` with `is_final` and `speech_final`).
 */
export class DeepgramFake extends VendorFake {
  transcripts: string[] = [];
  private isSpeaking = false;
  private quietMs = 0;

  protected receive(client: WebSocket, message: Buffer | { readonly type?: string }): void {
    if (!Buffer.isBuffer(message)) {
      if (message.type === 'CloseStream') client.close(1000);
      if (message.type === 'Finalize') this.end(client);
      return;
    }
    const samples = new Int16Array(new Uint8Array(message).buffer);
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    if (isLoud) this.begin(client);
    this.quietMs = isLoud ? 0 : this.quietMs + samples.length / 16;
    if (this.quietMs >= QUIET_MS) this.end(client);
  }

  private begin(client: WebSocket): void {
    if (this.isSpeaking) return;
    this.isSpeaking = true;
    this.send(client, { type: 'SpeechStarted', channel: [0, 1], timestamp: 0.5 });
    this.result(client, this.transcripts[0]?.split(' ')[0] ?? '', false);
    if (this.failing === 'break') setTimeout(() => client.terminate(), 50);
  }

  private end(client: WebSocket): void {
    if (!this.isSpeaking) return;
    this.isSpeaking = false;
    this.result(client, this.transcripts.shift() ?? '', true);
  }

  private result(client: WebSocket, transcript: string, isFinal: boolean): void {
    this.send(client, {
      type: 'Results',
      channel_index: [0, 1],
      duration: 1,
      start: 0,
      is_final: isFinal,
      speech_final: isFinal,
      channel: { alternatives: [{ transcript, confidence: 0.99, languages: ['pt'], words: [] }] },
      metadata: {
        request_id: 'r',
        model_info: { name: 'nova-3', version: '1', arch: 'nova-3' },
        model_uuid: 'u',
      },
    });
  }
}
