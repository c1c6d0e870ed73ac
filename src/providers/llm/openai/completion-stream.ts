import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { errors } from 'undici';
import { ModelError } from '../model-error.js';
import { headersOf, type KeepAliveFetch, type ProviderAnswer } from './keep-alive-fetch.js';
import { arrayOf, isRecord } from './wire-value.js';

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
  if (answer.statusCode < 200 || answer.statusCode > 299) throw await refusalOf(answer);
  const contentType = String(answer.headers['content-type'] ?? '');
  if (contentType.includes('text/html')) throw new ModelError('malformed');
  if (contentType.includes('application/json')) yield [asChunk(await answer.body.json(), answer)];
  else yield* eventsOf(answer);
}

/** The data of the events of a stream. What follows the last one is read too, so that the connection lives on. */
async function* eventsOf(answer: ProviderAnswer): AsyncGenerator<readonly unknown[]> {
  let chunks: unknown[] = [];
  let isOver = false;
  let failure: unknown = null;
  const parser = createParser({
    onEvent: ({ data }) => {
      isOver ||= data.startsWith(END_OF_EVENTS);
      if (isOver || failure !== null) return;
      try {
        chunks.push(chunkOf(JSON.parse(data), answer));
      } catch (error) {
        failure = error;
      }
    },
  });
  const decoder = new StringDecoder('utf8');
  for await (const piece of answer.body) {
    parser.feed(decoder.write(piece as Buffer));
    if (chunks.length > 0) yield chunks;
    if (failure !== null) throw failure;
    chunks = [];
  }
}

function chunkOf(data: unknown, answer: ProviderAnswer): unknown {
  if (isRecord(data) && data['error']) throw errorOf(undefined, data['error'], answer);
  return data;
}

/** A server that ignores `stream` sends the whole completion: its message is taken as one delta. */
function asChunk(body: unknown, answer: ProviderAnswer): unknown {
  if (!isRecord(body)) return body;
  if (isRecord(body['error'])) throw errorOf(undefined, body['error'], answer);
  const choices = arrayOf(body['choices']).map((choice) =>
    isRecord(choice) ? { ...choice, delta: choice['message'] } : choice,
  );
  return { ...body, choices };
}

function errorOf(status: number | undefined, error: unknown, answer: ProviderAnswer): APIError {
  return new APIError(status, error as object, undefined, headersOf(answer));
}

/** What an answer with another status than 2xx says. */
export async function refusalOf(answer: ProviderAnswer): Promise<APIError> {
  const text = await answer.body.text().catch(String);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return APIError.generate(answer.statusCode, undefined, text, headersOf(answer));
  }
  return APIError.generate(answer.statusCode, json as object, undefined, headersOf(answer));
}

/** Anything else than a broken connection means that no request could be made of this, e.g. a key with a line break. */
export function requestErrorOf(error: unknown): Error {
  if (!(error instanceof Error) || error instanceof errors.InvalidArgumentError)
    return new ModelError('rejected', { cause: error });
  const cause = error.cause instanceof Error ? error.cause.message : '';
  if (TIMED_OUT.test(`${error.name} ${error.message} ${cause}`)) return new APIConnectionTimeoutError();
  return new APIConnectionError({ message: 'Connection error.', cause: error });
}
