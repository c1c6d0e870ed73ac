import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { type Failing, keyIn, REFUSALS, SLOW_MS, tone, VendorFake } from './vendor-fake.js';

const LOUD = 500;
const QUIET_MS = 200;
const SECONDS_PER_CHARACTER = 0.06;
const FIRST_PART_BYTES = 24_000;
const TICKS_PER_MS = 10_000;

/** A message of a client: its headers by name in lower case, and its body. */
interface Received {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

interface Hearing {
  requestId: string;
  isSpeaking: boolean;
  quietMs: number;
  words: string;
}

/**
 * A Speech resource of Azure at an address of its own, as with a private endpoint.
 *
 * - text to speech: https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech
 * - speech to text: the WebSocket protocol (`speech.config`, `speech.context`, binary `audio`; `turn.start`,
 *   `speech.startDetected`, `speech.hypothesis`, `speech.endDetected`, `speech.phrase`, `turn.end`). It understands nothing: each
 *   utterance is the next of `transcripts`.
 */
export class AzureFake extends VendorFake {
  protected override readonly keyPath = '/tts/cognitiveservices/voices/list';
  /** Every SSML document, with the headers it came with. */
  readonly spoken: { readonly ssml: string; readonly headers: IncomingMessage['headers'] }[] = [];
  /** Requests whose client went away before the end of the answer. */
  abandoned = 0;
  transcripts: string[] = [];
  /** As the service names it; null: it names none, as for a connection of one language. */
  language: string | null = null;
  /** Bodies of the text messages, by their path. */
  readonly messages: { readonly path: string; readonly body: unknown }[] = [];
  readonly audioTypes: string[] = [];
  /** The status of the next phrases in place of `Success`. */
  status = 'Success';
  /** Ends its turn after each phrase, as it does after some minutes. */
  endsTurns = false;
  /** Length of the audio of all connections. */
  heardMs = 0;
  private readonly hearing = new WeakMap<WebSocket, Hearing>();

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'GET') return super.answer(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void this.synthesize(request, response, Buffer.concat(chunks).toString('utf8'));
    });
  }

  private async synthesize(request: IncomingMessage, response: ServerResponse, ssml: string): Promise<void> {
    this.keysAsked.push(keyIn(request));
    this.spoken.push({ ssml, headers: request.headers });
    response.on('close', () => {
      if (!response.writableFinished) this.abandoned++;
    });
    const failing: Failing = this.takesKeyOf(request) ? this.failing : 'refuse';
    if (request.url !== '/tts/cognitiveservices/v1') return void response.writeHead(404).end();
    if (failing === 'silence') return;
    if (failing === 'reset') return void response.destroy();
    const refusal = REFUSALS[failing];
    if (refusal) return void response.writeHead(refusal[0]).end(refusal[1]);
    if (failing === 'garbage')
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>502</html>');
    if (failing === 'slow') await sleep(SLOW_MS);
    response.writeHead(200, { 'Content-Type': 'audio/basic' });
    const sound = tone(textOf(ssml).length * SECONDS_PER_CHARACTER);
    if (failing !== 'break' && failing !== 'endless') return void response.end(sound);
    response.write(sound.subarray(0, FIRST_PART_BYTES));
    await sleep(50);
    if (failing === 'break') response.destroy();
  }

  protected override greet(client: WebSocket): void {
    this.hearing.set(client, { requestId: '', isSpeaking: false, quietMs: 0, words: '' });
  }

  protected override parse(data: Buffer, isBinary: boolean): Received {
    const end = isBinary ? 2 + data.readUInt16BE(0) : data.indexOf('\r\n\r\n') + 4;
    const lines = data.toString('latin1', isBinary ? 2 : 0, end).split('\r\n');
    const headers = lines.flatMap((line): [string, string][] => {
      const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
    });
    return { headers: new Map(headers), body: data.subarray(end) };
  }

  protected override shapesFor(message: Received): readonly unknown[] {
    const id = message.headers.get('x-requestid') ?? '';
    return [null, 5, [], {}, { Text: 5 }, { RecognitionStatus: 'Success', DisplayText: {} }].flatMap((body) =>
      ['speech.phrase', 'speech.hypothesis'].map((path) => ({ path, id, body })),
    );
  }

  protected override encode(shape: unknown): string {
    const {
      path = 'speech.phrase',
      id = '',
      body,
    } = (shape ?? {}) as {
      path?: string;
      id?: string;
      body?: unknown;
    };
    return `Path: ${path}\r\nX-RequestId: ${id}\r\n\r\n${JSON.stringify(body ?? shape)}`;
  }

  protected receive(client: WebSocket, { headers, body }: Received): void {
    const hearing = this.hearing.get(client);
    if (!hearing) return;
    const path = headers.get('path') ?? '';
    const id = headers.get('x-requestid') ?? '';
    if (!/^[0-9a-f]{32}$/.test(id)) return client.close(1007, 'X-RequestId');
    if (path !== 'audio')
      return void this.messages.push({ path, body: JSON.parse(body.toString('utf8')) as unknown });
    if (hearing.requestId !== id) {
      hearing.requestId = id;
      this.audioTypes.push(headers.get('content-type') ?? '');
      if (body.toString('latin1', 0, 4) !== 'RIFF') return client.close(1007, 'WAV header');
      return this.tell(client, 'turn.start', { context: { serviceTag: 'tag' } });
    }
    if (body.length === 0) return this.finish(client, hearing);
    this.hear(client, hearing, body);
  }

  private hear(client: WebSocket, hearing: Hearing, body: Buffer): void {
    const samples = new Int16Array(new Uint8Array(body).buffer);
    this.heardMs += samples.length / 16;
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    if (isLoud && !hearing.isSpeaking) this.begin(client, hearing);
    hearing.quietMs = isLoud ? 0 : hearing.quietMs + samples.length / 16;
    if (hearing.isSpeaking && hearing.quietMs >= QUIET_MS) this.end(client, hearing);
  }

  private begin(client: WebSocket, hearing: Hearing): void {
    hearing.isSpeaking = true;
    hearing.words = this.transcripts.shift() ?? '';
    this.tell(client, 'speech.startDetected', { Offset: 500 * TICKS_PER_MS });
    this.tell(client, 'speech.hypothesis', {
      Text: (hearing.words.split(' ')[0] ?? '').toLowerCase(),
      Offset: 500 * TICKS_PER_MS,
      Duration: 300 * TICKS_PER_MS,
      ...this.detected,
    });
    if (this.failingNow(client) === 'break') setTimeout(() => client.terminate(), 50);
  }

  private end(client: WebSocket, hearing: Hearing): void {
    hearing.isSpeaking = false;
    this.tell(client, 'speech.endDetected', { Offset: 1_500 * TICKS_PER_MS });
    const status = hearing.words === '' ? 'NoMatch' : this.status;
    this.tell(client, 'speech.phrase', {
      RecognitionStatus: status,
      ...(status === 'Success' ? { DisplayText: hearing.words } : {}),
      Offset: 500 * TICKS_PER_MS,
      Duration: 1_000 * TICKS_PER_MS,
      ...this.detected,
    });
    if (this.endsTurns) this.tell(client, 'turn.end', {});
  }

  private finish(client: WebSocket, hearing: Hearing): void {
    if (hearing.isSpeaking) this.end(client, hearing);
    this.tell(client, 'turn.end', {});
  }

  private get detected(): object {
    return this.language === null ? {} : { PrimaryLanguage: { Language: this.language, Confidence: 'High' } };
  }

  private tell(client: WebSocket, path: string, body: object): void {
    this.send(client, { path, id: this.hearing.get(client)?.requestId ?? '', body });
  }
}

/** The words of a document, as the service reads them. */
export function textOf(ssml: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return ssml.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (_entity, name: string) => entities[name] ?? '?');
}
