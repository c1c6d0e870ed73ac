import { describe, expect, it } from '@jest/globals';
import { ModelError, type ModelErrorCode } from '../model-error.js';
import { historyRefusalIn } from './history-refusal.js';

const refusal = (message: string, more: object = {}, code: ModelErrorCode = 'rejected') =>
  historyRefusalIn(new ModelError(code, { cause: { message, ...more } }));

describe('historyRefusalIn', () => {
  it.each([
    [
      'OpenAI',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    ],
    [
      'OpenAI, responses',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum'],
    ['Anthropic, output', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
    ['Gemini', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
    [
      'Mistral',
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    ],
    ['llama.cpp', 'the request exceeds the available context size, try increasing it'],
    ['Ollama', 'the input length exceeds the context length'],
    ['vLLM', 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.'],
    ['SGLang', "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
    ['TGI', 'Input validation error: `inputs` must have less than 1024 tokens. Given: 2000'],
    ['Together', 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000'],
    ['Groq', 'Please reduce the length of the messages or completion.'],
    ['xAI', "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.'],
    ['Bedrock', 'Input is too long for requested model.'],
    ['Cohere', 'too many tokens: total number of tokens in the prompt cannot exceed 4081'],
    ['DashScope', 'Range of input length should be [1, 30720]'],
    ['Moonshot', 'Invalid request: Your request exceeded model token limit: 8192'],
    ['TabbyAPI', 'Prompt length 5000 is greater than max_seq_len 4096'],
  ])('knows that a request is too long for %s', (_vendor, message) => {
    expect(refusal(message)).toBe('too-long');
  });

  it('knows it by code, by status, and within another kind of error', () => {
    expect(refusal('no', { code: 'context_length_exceeded' })).toBe('too-long');
    expect(refusal('no', { type: 'exceed_context_size_error' })).toBe('too-long');
    expect(refusal('no', { status: 413 })).toBe('too-long');
    expect(refusal('the request exceeds the available context size', { status: 500 }, 'unavailable')).toBe(
      'too-long',
    );
    const tpm =
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced.';
    expect(refusal(tpm, {}, 'rate-limited')).toBe('too-long');
  });

  it.each([
    ["The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", {}],
    ['Content Exists Risk', {}],
    ['Your input was flagged by moderation.', { status: 403 }],
    ['no', { code: 'content_policy_violation' }],
    ['Output data may contain inappropriate content.', { code: 'data_inspection_failed' }],
  ])('knows that words were filtered: %s', (message, more) => {
    expect(refusal(message, more)).toBe('filtered');
  });

  it.each([
    ["Unsupported parameter: 'max_tokens' is not supported with this model.", 'rejected', 'other'],
    [
      'max_tokens is too large: 5000. This model supports at most 4096 completion tokens.',
      'rejected',
      'other',
    ],
    ['The model `x` does not exist', 'rejected', 'other'],
    ['overloaded', 'unavailable', null],
    ['Rate limit reached for requests', 'rate-limited', null],
    ['bad key', 'unauthorized', null],
    ['', 'timeout', null],
  ] as const)('takes "%s" for something else', (message, code, kind) => {
    expect(refusal(message, {}, code)).toBe(kind);
  });
});
