import { ModelError } from '../model-error.js';
import { toRejection, requestErrorOf } from './completion-stream.js';
import type { KeepAliveFetch } from './keep-alive-fetch.js';
import { isRecord } from './wire-value.js';

/** Kinds that servers give to models which do not chat: Together, LM Studio, GitHub Models, Mistral, OpenRouter. */
const OTHER_KINDS = /embed|image|audio|moderation|rerank|transcri|speech|tts|video|^language$/i;

/**
 * Asks a server for its models.
 *
 * @returns their names as it writes them, which may be anything; those that it says are for something else than chats are left out
 * @throws APIError as the SDK tells it, ModelError `malformed` for an answer that is no list of models
 * @see https://platform.openai.com/docs/api-reference/models/list
 */
export async function modelList(
  connections: KeepAliveFetch,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const answer = await connections
    .get(url, headers, signal)
    .catch((error: unknown) => Promise.reject(requestErrorOf(error)));
  if (answer.statusCode < 200 || answer.statusCode > 299) throw await toRejection(answer);
  const models = listIn(await answer.body.json());
  if (models === null) throw new ModelError('malformed');
  return models.filter(chats).map(nameOf);
}

/** OpenAI's `{data: []}`, Together's bare list, `{models: []}`. */
function listIn(body: unknown): readonly unknown[] | null {
  // An empty one may be the answer of anything.
  if (Array.isArray(body)) return body.length > 0 ? body : null;
  if (!isRecord(body)) return null;
  // Ollama without a model answers null in place of an empty list.
  if (body['data'] === null) return [];
  return [body['data'], body['models']].find((list): list is unknown[] => Array.isArray(list)) ?? null;
}

function nameOf(model: unknown): unknown {
  return isRecord(model) ? (model['id'] ?? model['name'] ?? model['model']) : model;
}

function chats(model: unknown): boolean {
  if (!isRecord(model)) return true;
  const { type, capabilities, architecture } = model;
  if (typeof type === 'string' && OTHER_KINDS.test(type)) return false;
  if (isRecord(capabilities) && capabilities['completion_chat'] === false) return false;
  const outputs = isRecord(architecture) ? architecture['output_modalities'] : null;
  return !Array.isArray(outputs) || outputs.length === 0 || outputs.includes('text');
}
