import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { VendorFake } from './vendor-fake.js';

const LOUD = 500;
/** Audio without a sound after which this server takes an utterance for ended. A busy machine tears gaps of half that into speech. */
const QUIET_MS = 500;

/**
 * Live transcription. It understands nothing: each utterance is the next of `transcripts`. Messages as documented:
 * https://developers.deepgram.com/reference/speech-to-text/listen-streaming (client: binary linear16, `KeepAlive`,
 * `Finalize`, `CloseStream`; server: `Metadata`, `SpeechStarted`, `Results` with `is_final` and `speech_final`).
 */
export class DeepgramFake extends VendorFake {
  protected override readonly keyPath = '/v1/auth/token';
  transcripts: string[] = [];
  /** What one connection hears next; the next of `transcripts` where a test does not say. */
  transcriptOf: (request: IncomingMessage) => string = () => this.transcripts.shift() ?? '';
  private readonly hearing = new WeakMap<
    WebSocket,
    { isSpeaking: boolean; quietMs: number; words: string }
  >();

  protected override greet(client: WebSocket): void {
    this.hearing.set(client, { isSpeaking: false, quietMs: 0, words: '' });
  }

  protected override shapesFor(): readonly unknown[] {
    return [
      { type: 'Results' },
      { type: 'Results', metadata: {}, channel: null },
      { type: 'Results', metadata: { request_id: 'r' }, channel: { alternatives: 'none' } },
      {
        type: 'Results',
        metadata: { request_id: 'r' },
        channel: { alternatives: [null, 5, {}] },
        is_final: true,
      },
      {
        type: 'Results',
        metadata: { request_id: 'r' },
        is_final: true,
        channel: { alternatives: [{ transcript: 5, words: 5 }] },
      },
      { type: 'SpeechStarted' },
    ];
  }

  protected receive(client: WebSocket, message: Buffer | { readonly type?: string }): void {
    if (!Buffer.isBuffer(message)) {
      if (message.type === 'CloseStream') client.close(1000);
      if (message.type === 'Finalize') this.end(client);
      return;
    }
    const hearing = this.hearing.get(client);
    if (!hearing) return;
    if (this.failingNow(client) === 'endless') return this.flood(client);
    const samples = new Int16Array(new Uint8Array(message).buffer);
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    if (isLoud) this.begin(client);
    hearing.quietMs = isLoud ? 0 : hearing.quietMs + samples.length / 16;
    if (hearing.quietMs >= QUIET_MS) this.end(client);
  }

  /** Much more than anybody asked for, and no word of it final. */
  private flood(client: WebSocket): void {
    if (client.bufferedAmount > 0) return;
    for (let count = 0; count < 20; count++) this.result(client, '', false);
  }

  private begin(client: WebSocket): void {
    const hearing = this.hearing.get(client);
    if (!hearing || hearing.isSpeaking) return;
    hearing.isSpeaking = true;
    hearing.words = this.transcriptOf(this.requestOf(client));
    this.send(client, { type: 'SpeechStarted', channel: [0, 1], timestamp: 0.5 });
    this.result(client, hearing.words.split(' ')[0] ?? '', false);
    if (this.failingNow(client) === 'break') setTimeout(() => client.terminate(), 50);
  }

  private end(client: WebSocket): void {
    const hearing = this.hearing.get(client);
    if (!hearing?.isSpeaking) return;
    hearing.isSpeaking = false;
    this.result(client, hearing.words, true);
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
