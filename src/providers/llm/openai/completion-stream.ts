import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { errors } from 'undici';
import { parseExact } from '../../../common/text/exact-json.js';
import { ModelError } from '../model-error.js';
import { headersOf, type KeepAliveFetch, type ProviderAnswer } from './keep-alive-fetch.js';
import { isRecord } from './wire-value.js';

const END_OF_EVENTS = '[DONE]';
const TIMED_OUT = /timed? ?out/i;

/**
 * Asks for one completion and reads its chunks, those that arrive together at once. It is the SDK's request without the
 * SDK: its machinery around each request and each event took as much processor time as a stored message.
 *
 * @throws APIError as the SDK tells it, ModelError for what is no completion
 */
export async function* completionChunks(
  connections: KeepAliveFetch,
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: object },
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[]> {
  const answer = await connections
    .post(url, headers, JSON.stringify(body), signal)
    .catch((error: unknown) => Promise.reject(requestErrorOf(error)));
  if (answer.statusCode < 200 || answer.statusCode > 299) throw await toRejection(answer);
  if (String(answer.headers['content-type'] ?? '').includes('text/html')) throw new ModelError('malformed');
  yield* chunksOf(answer);
}

/**
 * The chunks of an answer. Its media type is ignored: some servers label events as JSON, or send JSON where events
 * were requested.
 */
async function* chunksOf(answer: ProviderAnswer): AsyncGenerator<readonly unknown[]> {
  const decoder = new StringDecoder('utf8');
  const events = new EventReader(answer);
  const json: string[] = [];
  let isJson: boolean | null = null;
  for await (const piece of answer.body) {
    const text = decoder.write(piece as Buffer);
    isJson ??= beginsJson(text);
    if (isJson === true) json.push(text);
    else if (isJson === false) yield* events.accept(text);
  }
  if (isJson === null) throw new ModelError('truncated');
  if (isJson) yield [asChunk(parseExact(json.join('').replace(/^\u{FEFF}/u, '')), answer)];
}

/** Null where nothing but space has come. */
function beginsJson(text: string): boolean | null {
  const first = /[^\s\u{FEFF}]/u.exec(text)?.[0];
  return first === undefined ? null : first === '{' || first === '[';
}

/** The data of events. */
class EventReader {
  private chunks: unknown[] = [];
  private isOver = false;
  private failure: unknown = null;
  private readonly parser = createParser({ onEvent: (event) => this.take(event) });

  constructor(private readonly answer: ProviderAnswer) {}

  *accept(text: string): Generator<readonly unknown[]> {
    this.parser.feed(text);
    const { chunks } = this;
    this.chunks = [];
    if (chunks.length > 0) yield chunks;
    if (this.failure !== null) throw this.failure;
  }

  private take({ data, event }: EventSourceMessage): void {
    this.isOver ||= data.startsWith(END_OF_EVENTS);
    if (this.isOver || this.failure !== null || data.trim() === '') return;
    try {
      const chunk = parseExact(data);
      const error = event === 'error' ? (errorIn(chunk) ?? chunk) : errorIn(chunk);
      if (error !== null) throw errorOf(undefined, error, this.answer);
      this.chunks.push(chunk);
    } catch (error) {
      this.failure = error;
    }
  }
}

/** What a server says of a failure in place of a chunk; null for a chunk. */
function errorIn(data: unknown): unknown {
  if (Array.isArray(data)) return data.length === 1 ? errorIn(data[0]) : null;
  if (!isRecord(data)) return null;
  if (data['error']) return typeof data['error'] === 'string' ? { message: data['error'] } : data['error'];
  const isError = data['object'] === 'error' || data['type'] === 'error';
  return isError || (data['choices'] === undefined && 'detail' in data) ? data : null;
}

/** A server that ignores `stream` sends the whole completion: its message is taken as one delta. */
function asChunk(body: unknown, answer: ProviderAnswer): unknown {
  const error = errorIn(body);
  if (error !== null) throw errorOf(undefined, error, answer);
  return body;
}

function errorOf(status: number | undefined, error: unknown, answer: ProviderAnswer): APIError {
  return new APIError(status, error as object, undefined, headersOf(answer));
}

/** What an answer with another status than 2xx says. */
export async function toRejection(answer: ProviderAnswer): Promise<APIError> {
  const text = await answer.body.text().catch(String);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return APIError.generate(answer.statusCode, undefined, text, headersOf(answer));
  }
  // Only what is below `error` is read by the SDK; vLLM, FastAPI and Gemini write it elsewhere.
  const error = errorIn(json) ?? json;
  return APIError.generate(answer.statusCode, { error }, undefined, headersOf(answer));
}

/** Anything else than a broken connection means that no request could be made of this, e.g. a key with a line break. */
export function requestErrorOf(error: unknown): Error {
  if (!(error instanceof Error) || error instanceof errors.InvalidArgumentError)
    return new ModelError('rejected', { cause: error });
  const cause = error.cause instanceof Error ? error.cause.message : '';
  if (TIMED_OUT.test(`${error.name} ${error.message} ${cause}`)) return new APIConnectionTimeoutError();
  return new APIConnectionError({ message: 'Connection error.', cause: error });
}
