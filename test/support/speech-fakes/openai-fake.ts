import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenAiRealtimeFake } from './openai-realtime-fake.js';
import { samplesOf } from '@prosa/audio';
import { waveFile } from '../voice/wave-file.js';
import { type Failing, keyIn, REFUSALS, SLOW_MS, tone } from './vendor-fake.js';

const SECONDS_PER_CHARACTER = 0.05;
const PCM_BYTES_PER_SECOND = 48_000;
/** Between the words of a model, and between those of a slow one. */
const WORD_MS = 10;

/**
 * A server of the OpenAI kind, whole: chat, speech to text, text to speech and realtime. A model fails by its name, and a voice
 * by its own. Endpoints as documented: https://platform.openai.com/docs/api-reference
 */
export class OpenAiFake extends OpenAiRealtimeFake {
  /** By the name of a chat model or a voice. */
  readonly faults = new Map<string, Failing>();
  /** What each voice was asked to say. */
  readonly spoken: { readonly voice: string; readonly text: string }[] = [];
  /** Names of the chat models that were asked. */
  readonly asked: string[] = [];
  /** What a chat model answers, also when another one was cut off before it. */
  answerOf = (_model: string, _wasCutOff: boolean): string => 'Certo.';
  /** What it answers in place of the words of the next utterances. */
  hearsWrongly: unknown[] = [];
  /** What is heard in every utterance. */
  heard = '';

  protected override answer(request: IncomingMessage, response: ServerResponse): void {
    this.keysAsked.push(keyIn(request));
    if (!this.takesKeyOf(request))
      return sendJson(response, { error: { message: `Incorrect API key provided: ${keyIn(request)}` } }, 401);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      void this.reply(request.url ?? '', body, response).catch(() => response.destroy());
    });
  }

  private async reply(path: string, body: string, response: ServerResponse): Promise<void> {
    if (path.endsWith('/models')) return sendJson(response, { data: [] });
    if (path.endsWith('/audio/transcriptions')) return this.transcribe(response);
    const asked = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as {
      readonly model: string;
      readonly voice?: string;
      readonly input?: string;
    };
    const failing = this.faults.get(asked.voice ?? asked.model) ?? 'never';
    if (failing === 'silence') return;
    if (failing === 'reset') return void response.destroy();
    const refusal = REFUSALS[failing];
    if (refusal) return sendJson(response, { error: { message: refusal[1] } }, refusal[0]);
    if (failing === 'garbage') return void response.writeHead(200, TYPES.html).end('<html>502</html>');
    if (failing === 'slow') await sleep(SLOW_MS);
    if (path.endsWith('/audio/speech'))
      return this.sayLine(asked.voice ?? '', asked.input ?? '', failing, response);
    this.asked.push(asked.model);
    await this.writeAnswer(this.answerOf(asked.model, body.includes('You were cut off')), failing, response);
  }

  private transcribe(response: ServerResponse): void {
    const wrong = this.hearsWrongly.shift();
    sendJson(response, wrong === undefined ? { text: this.heard } : (wrong as object));
  }

  private async sayLine(
    voice: string,
    text: string,
    failing: Failing,
    response: ServerResponse,
  ): Promise<void> {
    this.spoken.push({ voice, text });
    const sound = tone(text.length * SECONDS_PER_CHARACTER, 24_000, 660);
    response.writeHead(200, failing === 'wave' ? TYPES.wave : TYPES.pcm);
    if (failing === 'wave')
      return void response.end(
        waveFile(samplesOf(tone(text.length * SECONDS_PER_CHARACTER, 16_000, 660)), 16_000),
      );
    if (failing === 'shapes') return void response.end('{"error":{"message":"no such voice"}}');
    if (failing !== 'break') return void response.end(sound);
    response.write(sound.subarray(0, PCM_BYTES_PER_SECOND / 2));
    await sleep(50);
    response.destroy();
  }

  private async writeAnswer(answer: string, failing: Failing, response: ServerResponse): Promise<void> {
    response.writeHead(200, TYPES.events);
    const words = answer.match(/\S+\s*/g) ?? [];
    for (const [index, content] of words.entries()) {
      if (failing === 'break' && index === 2) return void response.destroy();
      response.write(eventOf({ delta: { content }, finish_reason: null }));
      await sleep(failing === 'slow' ? SLOW_MS / 4 : WORD_MS);
    }
    response.write(eventOf({ delta: {}, finish_reason: 'stop' }));
    response.end('data: [DONE]\n\n');
  }
}

const TYPES = {
  pcm: { 'Content-Type': 'audio/pcm' },
  wave: { 'Content-Type': 'audio/wav' },
  events: { 'Content-Type': 'text/event-stream' },
  html: { 'Content-Type': 'text/html' },
};

function eventOf(choice: object): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
