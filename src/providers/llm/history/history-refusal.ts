import { ModelError } from '../model-error.js';

/**
 * Why a provider may have refused a request because of what was said before. `too-long`: the context of the model is too
 * small for it; `filtered`: its moderation has flagged something; `other`: it may be that, and may be something else.
 */
export type HistoryRefusal = 'too-long' | 'filtered' | 'other';

const MAX_WORDS_CHARS = 4_000;

/**
 * The words of providers:
 *
 * - OpenAI, Azure, DeepSeek, OpenRouter, vLLM: maximum context length
 * - Anthropic: prompt is too long, input length and max_tokens; Gemini: input token count exceeds
 * - Mistral and TGI: too large for model, inputs must have less than; llama.cpp: exceed_context_size_error
 * - Ollama: input length exceeds; Groq and Cerebras: reduce the length; Bedrock: input is too long
 * - xAI: maximum prompt length; LM Studio: greater than the context length; SGLang: longer than the model's context
 *   length
 * - DashScope: range of input length; Moonshot: token limit; Cohere: too many tokens
 */
const TOO_LONG: readonly RegExp[] = [
  /context[_ ]length[_ ]exceeded|exceed_context_size|string_above_max_length|request_too_large/,
  /(?:maximum|max|model's|available|the) context (?:length|window|size)/,
  /context (?:length|window|size)(?: limit)? (?:is |was |has been )?(?:exceed|overflow|too small)/,
  /exceeds? (?:the |its |model's )?(?:maximum |max |available )?(?:context|prompt length|input length|token limit)/,
  /(?:prompt|input|request|messages?|conversation)(?: is| are|'s)? too (?:long|large)/,
  /maximum (?:prompt|input|model|sequence) length|max_(?:seq|model)_len\b|max length/,
  /input (?:length|token count|tokens)[^.]{0,80}(?:exceed|greater|longer|cannot)/,
  /(?:inputs?|tokens?)\b[^.]{0,60}must (?:be|have) (?:less|fewer|<)/,
  /too large for model|too many (?:input )?tokens|model token limit/,
  /reduce (?:the |your )?(?:length|message size|prompt|input|number of messages)/,
  /tokens must be reduced|range of input length should be|exceeds max length/,
];
const FILTERED =
  /content[_ ](?:filter|policy|management)|responsibleai|moderation|flagged|content exists risk|data_inspection_failed|prohibited[_ ]content|safety|sensitive|inappropriate/;

/** Null for an error that another history would not mend. */
export function historyRefusalIn(error: ModelError): HistoryRefusal | null {
  const { code } = error;
  if (code === 'aborted' || code === 'timeout' || code === 'unauthorized') return null;
  const { status, words } = wordsOf(error);
  if (status === 413 || TOO_LONG.some((form) => form.test(words))) return 'too-long';
  if (code === 'rate-limited' || code === 'unavailable') return null;
  return FILTERED.test(words) ? 'filtered' : 'other';
}

/** What the server has said, in lower case. */
function wordsOf({ cause }: ModelError): { readonly status: unknown; readonly words: string } {
  if (typeof cause !== 'object' || cause === null) return { status: null, words: '' };
  const { status, code, type, message } = cause as Readonly<Record<string, unknown>>;
  const words = [code, type, message].filter((part) => typeof part === 'string').join(' ');
  return { status, words: words.slice(0, MAX_WORDS_CHARS).toLowerCase() };
}
