import { ModelError } from '../model-error.js';
import { refusalOf, requestErrorOf } from './completion-stream.js';
import type { KeepAliveFetch } from './keep-alive-fetch.js';
import { isRecord } from './wire-value.js';

/**
 * Asks a server for its models, and reads no more of them than that they are a list.
 *
 * @throws APIError as the SDK tells it, ModelError `malformed` for an answer that is no list of models
 * @see https://platform.openai.com/docs/api-reference/models/list
 */
export async function checkModelList(
  connections: KeepAliveFetch,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const answer = await connections
    .get(url, headers, signal)
    .catch((error: unknown) => Promise.reject(requestErrorOf(error)));
  if (answer.statusCode < 200 || answer.statusCode > 299) throw await refusalOf(answer);
  const body: unknown = await answer.body.json();
  // Ollama without a model answers null in place of an empty list.
  const isList = isRecord(body) && (Array.isArray(body['data']) || body['data'] === null);
  if (!isList) throw new ModelError('malformed');
}
