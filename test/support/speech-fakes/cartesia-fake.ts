import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failing, keyIn, REFUSALS, SLOW_MS, tone, VendorFake } from './vendor-fake.js';

const SECONDS_PER_CHARACTER = 0.06;
const FIRST_PART_BYTES = 24_000;

interface TtsRequest {
  readonly model_id: string;
  readonly transcript: string;
  readonly voice: { readonly mode: string; readonly id: string };
  readonly language: string;
  readonly output_format: object;
  readonly generation_config?: { readonly speed?: number };
}

/**
 * Cartesia's API: https://docs.cartesia.ai/api-reference/tts/bytes and https://docs.cartesia.ai/api-reference/stt/transcribe. It
 * understands nothing: each utterance is the next of `transcripts`.
 */
export class CartesiaFake extends VendorFake {
  protected override readonly keyPath = '/voices?limit=1';
  readonly spoken: TtsRequest[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  transcripts: string[] = [];
  /** Fields of the forms, and how long the sound was. */
  readonly heard: { readonly model: string; readonly language: string; readonly seconds: number }[] = [];
  abandoned = 0;

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'GET') return super.answer(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void this.reply(request, response, Buffer.concat(chunks)));
  }

  protected receive(): void {}

  private async reply(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    this.keysAsked.push(keyIn(request));
    this.headers.push(request.headers);
    response.on('close', () => {
      if (!response.writableFinished) this.abandoned++;
    });
    const failing: Failing = this.takesKeyOf(request) ? this.failing : 'refuse';
    if (failing === 'silence') return;
    if (failing === 'reset') return void response.destroy();
    const refusal = REFUSALS[failing];
    if (refusal)
      return void response.writeHead(refusal[0]).end(`${refusal[1]}: the key was ${keyIn(request)}`);
    if (failing === 'garbage')
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>502</html>');
    if (failing === 'slow') await sleep(SLOW_MS);
    if (request.url === '/tts/bytes') return this.speak(response, body, failing);
    if (request.url === '/stt') return this.transcribe(request, response, body, failing);
    response.writeHead(404).end();
  }

  private async speak(response: ServerResponse, body: Buffer, failing: Failing): Promise<void> {
    const asked = JSON.parse(body.toString('utf8')) as TtsRequest;
    this.spoken.push(asked);
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    const sound = tone(asked.transcript.length * SECONDS_PER_CHARACTER);
    if (failing !== 'break' && failing !== 'endless') return void response.end(sound);
    response.write(sound.subarray(0, FIRST_PART_BYTES));
    await sleep(50);
    if (failing === 'break') response.destroy();
  }

  private async transcribe(
    { headers }: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    failing: Failing,
  ): Promise<void> {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'Content-Type': headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('file') as File;
    const wave = Buffer.from(await file.arrayBuffer());
    this.heard.push({
      model: form.get('model') as string,
      language: form.get('language') as string,
      seconds: (wave.length - 44) / 2 / wave.readUInt32LE(24),
    });
    const text = this.transcripts.shift() ?? '';
    const answer = failing === 'shapes' ? { text: { words: [] } } : { type: 'transcript', text, duration: 1 };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  }
}
