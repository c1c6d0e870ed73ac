import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { tone, VendorFake } from './vendor-fake.js';

interface ClientEvent {
  readonly type: string;
  readonly event_id?: string;
  readonly audio?: string;
  readonly session?: Record<string, unknown>;
  readonly item?: { readonly id?: string; readonly type: string };
  readonly previous_item_id?: string | null;
  readonly item_id?: string;
  readonly response?: { readonly metadata?: Record<string, string>; readonly instructions?: string };
}

interface Session {
  modality: 'audio' | 'text';
  lastItem: string | null;
  isCancelled: boolean;
  isSpeaking: boolean;
  quietMs: number;
}

const LOUD = 500;
const QUIET_MS = 400;

/** What the model does in one response. */
export type Answer =
  /** `brokenAfterSeconds`: the connection ends in the middle of the sound, after all the words. */
  | { readonly text: string; readonly seconds?: number; readonly brokenAfterSeconds?: number }
  | { readonly call: string; readonly arguments: object };

const SERVER_ERROR = {
  type: 'server_error',
  code: 'server_error',
  message: 'The server had an error while processing your request.',
};

/** Audio comes in pieces of 100 ms. */
const PIECE_BYTES = 4_800;
const BYTES_PER_SECOND = 48_000;

/**
 * A realtime model that gives scripted answers. Events as documented:
 * https://platform.openai.com/docs/api-reference/realtime-client-events and
 * https://platform.openai.com/docs/api-reference/realtime-server-events (general availability names).
 */
export class OpenAiRealtimeFake extends VendorFake {
  answers: Answer[] = [];
  /** What it answers where `answers` has nothing. @param instructions of the one response, where it was asked with such */
  replyTo = (_instructions: string, _request: IncomingMessage): Answer => ({ text: 'Certo.' });
  /** Whether it answers changes of the session with an error, as servers do that have them at the beginning alone. */
  refusesChanges = false;
  readonly received: ClientEvent[] = [];
  /** Where a test sets it, the server detects speech by itself, and understands this. */
  transcriptOf: ((request: IncomingMessage) => string) | null = null;
  private ids = 0;
  private readonly sessions = new WeakMap<WebSocket, Session>();

  private sessionOf(client: WebSocket): Session {
    const session = this.sessions.get(client) ?? {
      modality: 'audio',
      lastItem: null,
      isCancelled: false,
      isSpeaking: false,
      quietMs: 0,
    };
    this.sessions.set(client, session);
    return session;
  }

  protected override greet(client: WebSocket): void {
    this.send(client, { type: 'session.created', event_id: this.id('event'), session: {} });
  }

  protected receive(client: WebSocket, event: ClientEvent): void {
    if (event.type === 'input_audio_buffer.append') return this.listen(client, event.audio ?? '');
    this.received.push(event);
    const { type, item, previous_item_id: after, item_id: itemId } = event;
    if (type === 'session.update') this.update(client, event.session ?? {});
    else if (type === 'conversation.item.create' && item?.id) this.added(client, item, after);
    else if (type === 'conversation.item.delete')
      this.send(client, { type: 'conversation.item.deleted', item_id: itemId });
    else if (type === 'conversation.item.truncate')
      this.send(client, { ...event, type: 'conversation.item.truncated' });
    else if (type === 'response.cancel') this.sessionOf(client).isCancelled = true;
    else if (type === 'response.create') void this.respond(client, event);
  }

  /** The end of sessions, as after an hour. */
  expire(whose: (request: IncomingMessage) => boolean = () => true): void {
    for (const client of this.clientsOf(whose)) this.expireOne(client);
  }

  private expireOne(client: WebSocket): void {
    const message = 'Your session hit the maximum duration of 60 minutes.';
    this.send(client, {
      type: 'error',
      error: { type: 'invalid_request_error', code: 'session_expired', message },
    });
    client.close(1001);
  }

  /** The server's own detector finds speech, and the model answers. */
  async hear(client: WebSocket, transcript: string): Promise<void> {
    const itemId = this.id('item');
    this.send(client, { type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: itemId });
    this.send(client, { type: 'input_audio_buffer.speech_stopped', audio_end_ms: 900, item_id: itemId });
    this.added(client, {
      id: itemId,
      type: 'message',
      role: 'user',
      content: [{ type: 'input_audio' }],
    } as never);
    this.send(client, {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: itemId,
      content_index: 0,
      transcript,
    });
    await this.respond(client);
  }

  /** Sound followed by a pause is an utterance. */
  private listen(client: WebSocket, audio: string): void {
    if (!this.transcriptOf) return;
    const session = this.sessionOf(client);
    const samples = new Int16Array(new Uint8Array(Buffer.from(audio, 'base64')).buffer);
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    session.isSpeaking ||= isLoud;
    session.quietMs = isLoud ? 0 : session.quietMs + samples.length / 24;
    if (!session.isSpeaking || session.quietMs < QUIET_MS) return;
    session.isSpeaking = false;
    void this.hear(client, this.transcriptOf(this.requestOf(client)));
  }

  private update(client: WebSocket, session: Record<string, unknown>): void {
    if (this.refusesChanges && Object.keys(session).length === 1) {
      this.send(client, { type: 'error', error: { type: 'invalid_request_error', message: 'Not now.' } });
      return;
    }
    const outputs = session.output_modalities;
    if (Array.isArray(outputs))
      this.sessionOf(client).modality = outputs.includes('audio') ? 'audio' : 'text';
    this.send(client, { type: 'session.updated', event_id: this.id('event'), session });
  }

  private added(client: WebSocket, item: { readonly id?: string }, after?: string | null): void {
    const session = this.sessionOf(client);
    after ??= session.lastItem;
    session.lastItem = item.id ?? null;
    this.send(client, { type: 'conversation.item.added', previous_item_id: after, item });
    this.send(client, { type: 'conversation.item.done', previous_item_id: after, item });
  }

  private async respond(client: WebSocket, asked?: ClientEvent): Promise<void> {
    const failing = this.failingNow(client);
    if (failing === 'expire') return this.expireOne(client);
    if (failing === 'error')
      return this.send(client, { type: 'error', error: { ...SERVER_ERROR, event_id: asked?.event_id } });
    this.sessionOf(client).isCancelled = false;
    const metadata = asked?.response?.metadata;
    const response = { id: this.id('resp'), object: 'realtime.response', status: 'in_progress', metadata };
    this.send(client, { type: 'response.created', response });
    if (failing === 'failed') {
      const details = { type: 'failed', error: SERVER_ERROR };
      const failed = { ...response, status: 'failed', status_details: details, output: [] };
      return this.send(client, { type: 'response.done', response: failed });
    }
    const answer =
      this.answers.shift() ?? this.replyTo(asked?.response?.instructions ?? '', this.requestOf(client));
    const item =
      'call' in answer
        ? this.call(client, response.id, answer)
        : await this.speak(client, response.id, answer);
    const status = this.sessionOf(client).isCancelled ? 'cancelled' : 'completed';
    this.send(client, {
      type: 'response.done',
      response: { ...response, status, output: [item], usage: usage() },
    });
  }

  private call(client: WebSocket, responseId: string, answer: Extract<Answer, { call: string }>): object {
    const item = {
      id: this.id('item'),
      type: 'function_call',
      call_id: this.id('call'),
      name: answer.call,
      arguments: JSON.stringify(answer.arguments),
    };
    const place = { response_id: responseId, output_index: 0, item_id: item.id };
    this.send(client, { type: 'response.output_item.added', ...place, item: { ...item, arguments: '' } });
    this.send(client, {
      ...item,
      ...place,
      type: 'response.function_call_arguments.done',
    });
    this.send(client, { type: 'response.output_item.done', ...place, item });
    return item;
  }

  private async speak(
    client: WebSocket,
    responseId: string,
    answer: Extract<Answer, { text: string }>,
  ): Promise<object> {
    const item = { id: this.id('item'), type: 'message', role: 'assistant', content: [] as object[] };
    const place = { response_id: responseId, output_index: 0, content_index: 0, item_id: item.id };
    const isAudio = this.sessionOf(client).modality === 'audio';
    this.send(client, { type: 'response.output_item.added', ...place, item });
    this.added(client, item);
    const part = isAudio ? { type: 'audio', transcript: '' } : { type: 'text', text: '' };
    this.send(client, { type: 'response.content_part.added', ...place, part });
    for (const delta of answer.text.match(/\S+\s*/g) ?? []) {
      const type = isAudio ? 'response.output_audio_transcript.delta' : 'response.output_text.delta';
      this.send(client, { type, ...place, delta });
      if (!isAudio && this.failingNow(client) === 'break') client.terminate();
    }
    if (isAudio) await this.sendAudio(client, place, answer);
    this.send(client, { type: 'response.output_item.done', ...place, item });
    return item;
  }

  private async sendAudio(
    client: WebSocket,
    place: object,
    { seconds = 1, brokenAfterSeconds = Infinity }: Extract<Answer, { text: string }>,
  ): Promise<void> {
    const audio = tone(seconds);
    for (let offset = 0; offset < audio.length; offset += PIECE_BYTES) {
      if (this.sessionOf(client).isCancelled) return;
      const delta = audio.subarray(offset, offset + PIECE_BYTES).toString('base64');
      this.send(client, { type: 'response.output_audio.delta', ...place, delta });
      const isBroken = offset + PIECE_BYTES >= brokenAfterSeconds * BYTES_PER_SECOND;
      if (isBroken || this.failingNow(client) === 'break') return client.terminate();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.send(client, { type: 'response.output_audio.done', ...place });
  }

  private id(kind: string): string {
    this.ids += 1;
    return `${kind}_${this.ids}`;
  }
}

function usage(): object {
  const details = { text_tokens: 5, audio_tokens: 5, cached_tokens: 0 };
  return {
    total_tokens: 20,
    input_tokens: 10,
    output_tokens: 10,
    input_token_details: details,
    output_token_details: details,
  };
}
