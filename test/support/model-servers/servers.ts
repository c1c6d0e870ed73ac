import {
  callOf,
  delta,
  events,
  refusal,
  type Reply,
  type SentBody,
  sentCalls,
  USAGE,
  alternates,
} from './wire-format.js';

export const ANSWER = 'A entrega chega na quinta-feira.';
export const THOUGHT = 'O cliente é VIP; margem de 40%.';

/** What a server answers in each case of the table in `docs/reference/model-servers.md`. */
export interface ModelServer {
  readonly name: string;
  /** Where the formats below are documented. */
  readonly documentation: string;
  readonly stream: Reply;
  /** A call of a tool; the answer to its result is refused unless the request passes `takesCall`. */
  readonly call: Reply;
  readonly takesCall?: (body: SentBody) => boolean;
  readonly callRefusal?: Reply;
  /** An answer with a thought. */
  readonly thinking: Reply;
  /** Null where the server takes a temperature. */
  readonly temperature: Reply | null;
  /** What it takes of the messages, and what it says otherwise. Left out: any order. */
  readonly roles?: { readonly takes: (body: SentBody) => boolean; readonly refusal: Reply };
  readonly error: { readonly reply: Reply; readonly code: string };
}

const plain = events(
  delta({ role: 'assistant', content: '' }),
  delta({ content: 'A entrega chega ' }),
  delta({ content: 'na quinta-feira.' }),
  delta({}, 'stop'),
  { ...delta({}), choices: [], usage: USAGE },
);
const thought = (field: string) =>
  events(
    delta({ role: 'assistant', content: '', [field]: THOUGHT }),
    delta({ content: ANSWER }),
    delta({}, 'stop'),
  );
const inText = (text: string) =>
  events(
    delta({ role: 'assistant', content: '' }),
    ...(text.match(/.{1,6}/gsu) ?? []).map((content) => delta({ content })),
    delta({}, 'stop'),
  );
const hasSystemFirst = ({ messages }: SentBody) =>
  messages.every(({ role }, at) => role !== 'system' || at === 0);

export const SERVERS: readonly ModelServer[] = [
  {
    name: 'OpenAI',
    documentation: 'https://platform.openai.com/docs/api-reference/chat-streaming',
    stream: plain,
    call: events(
      delta({
        role: 'assistant',
        content: null,
        tool_calls: [
          { index: 0, id: 'call_1', type: 'function', function: { name: 'find_parcel', arguments: '' } },
        ],
      }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"code":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"0042"}' } }] }),
      delta({}, 'tool_calls'),
    ),
    // Its thoughts are counted, and not sent.
    thinking: events(
      delta({ content: ANSWER }),
      delta({}, 'stop', { usage: { ...USAGE, completion_tokens_details: { reasoning_tokens: 64 } } }),
    ),
    temperature: refusal(400, {
      error: {
        message:
          "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        type: 'invalid_request_error',
        param: 'temperature',
        code: 'unsupported_value',
      },
    }),
    roles: {
      takes: ({ messages }) => messages.every(({ role }) => role !== 'system'),
      refusal: refusal(400, {
        error: {
          message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
          type: 'invalid_request_error',
          param: 'messages[0].role',
          code: 'unsupported_value',
        },
      }),
    },
    error: {
      reply: refusal(429, {
        error: {
          message: 'You exceeded your current quota.',
          type: 'insufficient_quota',
          param: null,
          code: 'insufficient_quota',
        },
      }),
      code: 'rejected',
    },
  },
  {
    name: 'Anthropic',
    documentation: 'https://docs.anthropic.com/en/api/openai-sdk',
    stream: plain,
    call: callOf(
      {},
      {
        reasoning_content: THOUGHT,
        thinking_blocks: [{ type: 'thinking', thinking: THOUGHT, signature: 'c2ln' }],
      },
    ),
    takesCall: (body) => JSON.stringify(sentCalls(body)['thinking_blocks']).includes('c2ln'),
    callRefusal: refusal(400, {
      error: {
        message:
          'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
        type: 'invalid_request_error',
      },
    }),
    thinking: thought('reasoning_content'),
    temperature: refusal(400, {
      error: {
        code: 'invalid_request_error',
        message: '`temperature` is deprecated for this model.',
        type: 'invalid_request_error',
        param: null,
      },
    }),
    roles: {
      takes: ({ messages }) => messages.find(({ role }) => role !== 'system')?.role === 'user',
      refusal: refusal(400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'messages: first message must use the "user" role' },
      }),
    },
    error: {
      reply: refusal(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      code: 'unavailable',
    },
  },
  {
    name: 'Gemini',
    documentation: 'https://ai.google.dev/gemini-api/docs/openai',
    stream: plain,
    call: callOf({ extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } }),
    takesCall: (body) =>
      JSON.stringify(sentCalls(body).tool_calls).includes('"thought_signature":"c2lnbmF0dXJl"'),
    callRefusal: refusal(400, [
      {
        error: {
          code: 400,
          message: 'Function call is missing a thought_signature in functionCall parts.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ]),
    thinking: inText(`<thought>${THOUGHT}</thought>${ANSWER}`),
    temperature: null,
    roles: {
      takes: alternates,
      refusal: refusal(400, [
        {
          error: {
            code: 400,
            message: 'Please ensure that multiturn requests alternate between user and model.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ]),
    },
    error: {
      reply: refusal(429, [
        {
          error: {
            code: 429,
            message: 'Resource has been exhausted (e.g. check quota).',
            status: 'RESOURCE_EXHAUSTED',
          },
        },
      ]),
      code: 'rate-limited',
    },
  },
  {
    name: 'DeepSeek',
    documentation: 'https://api-docs.deepseek.com/guides/thinking_mode',
    stream: events(
      ': keep-alive',
      delta({ role: 'assistant', content: null, reasoning_content: '' }),
      delta({ content: ANSWER }),
      delta({ content: '' }, 'stop', { usage: USAGE }),
    ),
    call: callOf({}, { reasoning_content: THOUGHT }),
    takesCall: (body) => sentCalls(body)['reasoning_content'] === THOUGHT,
    callRefusal: refusal(400, {
      error: {
        message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request_error',
      },
    }),
    thinking: thought('reasoning_content'),
    temperature: null,
    roles: {
      takes: alternates,
      refusal: refusal(400, {
        error: {
          message:
            'deepseek-reasoner does not support successive user or assistant messages (messages[1] and messages[2] in your input).',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_request_error',
        },
      }),
    },
    error: {
      reply: refusal(402, {
        error: {
          message: 'Insufficient Balance',
          type: 'unknown_error',
          param: null,
          code: 'invalid_request_error',
        },
      }),
      code: 'rejected',
    },
  },
  {
    name: 'Mistral',
    documentation: 'https://docs.mistral.ai/capabilities/reasoning/',
    stream: plain,
    call: callOf({ index: 0 }),
    thinking: events(
      delta({
        role: 'assistant',
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: THOUGHT }] }],
      }),
      delta({ content: [{ type: 'text', text: 'A entrega chega ' }] }),
      delta({ content: 'na quinta-feira.' }),
      delta({ content: '' }, 'stop'),
    ),
    temperature: refusal(422, {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'temperature'],
            msg: 'Extra inputs are not permitted',
            input: 0.2,
          },
        ],
      },
      type: 'invalid_request_error',
      param: null,
      code: null,
    }),
    roles: {
      takes: ({ messages }) => ['user', 'tool'].includes(messages.at(-1)?.role ?? ''),
      refusal: refusal(400, {
        object: 'error',
        message: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got system',
        type: 'invalid_request_message_order',
        param: null,
        code: '3230',
      }),
    },
    error: { reply: refusal(401, { detail: 'Unauthorized' }), code: 'unauthorized' },
  },
  {
    name: 'Groq',
    documentation: 'https://console.groq.com/docs/reasoning',
    stream: events(
      delta({ role: 'assistant', content: '' }, null, { x_groq: { id: 'req_1' } }),
      delta({ content: ANSWER }),
      delta({}, 'stop', { x_groq: { id: 'req_1', usage: USAGE } }),
    ),
    call: callOf({}, { reasoning: THOUGHT }),
    takesCall: (body) => !('reasoning' in sentCalls(body)),
    callRefusal: refusal(400, {
      error: {
        message:
          "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported)]",
        type: 'invalid_request_error',
      },
    }),
    thinking: inText(`<think>\n${THOUGHT}\n</think>\n\n${ANSWER}`),
    temperature: null,
    error: {
      reply: events({
        error: {
          message: 'Rate limit reached for model',
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
          status_code: 429,
        },
      }),
      code: 'rate-limited',
    },
  },
  {
    name: 'Together',
    documentation: 'https://docs.together.ai/docs/reasoning-overview',
    stream: plain,
    call: callOf({ index: 0 }),
    thinking: inText(`<think>${THOUGHT}</think>${ANSWER}`),
    temperature: null,
    error: {
      reply: refusal(503, {
        error: { message: 'The server is overloaded', type: 'server_error', param: null, code: null },
      }),
      code: 'unavailable',
    },
  },
  {
    name: 'OpenRouter',
    documentation: 'https://openrouter.ai/docs/use-cases/reasoning-tokens',
    stream: events(
      ': OPENROUTER PROCESSING',
      delta({ role: 'assistant', content: '' }),
      ': OPENROUTER PROCESSING',
      delta({ content: ANSWER }),
      delta({}, 'stop', { usage: USAGE }),
    ),
    call: events(
      delta({
        role: 'assistant',
        content: '',
        reasoning: 'O cliente ',
        reasoning_details: [
          { type: 'reasoning.text', text: 'O cliente ', format: 'anthropic-claude-v1', index: 0 },
        ],
      }),
      delta({
        content: '',
        reasoning_details: [
          { type: 'reasoning.text', text: 'é VIP.', format: 'anthropic-claude-v1', index: 0 },
        ],
      }),
      delta({
        content: '',
        reasoning_details: [
          { type: 'reasoning.text', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
        ],
      }),
      delta({
        tool_calls: [
          {
            index: 0,
            id: 'call_1',
            type: 'function',
            function: { name: 'find_parcel', arguments: '{"code":"0042"}' },
          },
        ],
      }),
      delta({ content: '' }, 'tool_calls'),
    ),
    takesCall: (body) =>
      JSON.stringify(sentCalls(body)['reasoning_details']) ===
      JSON.stringify([
        {
          type: 'reasoning.text',
          text: 'O cliente é VIP.',
          format: 'anthropic-claude-v1',
          index: 0,
          signature: 'c2ln',
        },
      ]),
    callRefusal: refusal(400, { error: { message: 'Provider returned error', code: 400 } }),
    thinking: thought('reasoning'),
    temperature: null,
    error: {
      reply: events({
        ...delta({ content: '' }, 'error'),
        error: { code: 502, message: 'Provider disconnected unexpectedly' },
      }),
      code: 'unavailable',
    },
  },
  {
    name: 'Ollama',
    documentation: 'https://docs.ollama.com/api/openai-compatibility',
    stream: plain,
    call: callOf({ index: 0 }),
    thinking: thought('reasoning'),
    temperature: null,
    error: {
      reply: refusal(404, {
        error: {
          message: 'model "llama9" not found, try pulling it first',
          type: 'api_error',
          param: null,
          code: null,
        },
      }),
      code: 'rejected',
    },
  },
  {
    name: 'vLLM',
    documentation: 'https://docs.vllm.ai/en/latest/features/reasoning_outputs/',
    stream: plain,
    call: callOf({ id: 'chatcmpl-tool-1' }),
    // Without `--reasoning-parser`, of a model whose chat template opens the thought.
    thinking: inText(`${THOUGHT}\n</think>\n\n${ANSWER}`),
    temperature: null,
    roles: {
      takes: alternates,
      refusal: refusal(400, {
        object: 'error',
        message:
          'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
    },
    error: {
      reply: events({
        object: 'error',
        message: 'Internal server error',
        type: 'InternalServerError',
        param: null,
        code: 500,
      }),
      code: 'unavailable',
    },
  },
  {
    name: 'llama.cpp',
    documentation: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
    stream: plain,
    call: callOf({ index: 0 }),
    thinking: thought('reasoning_content'),
    temperature: null,
    roles: {
      takes: hasSystemFirst,
      refusal: refusal(500, {
        error: {
          code: 500,
          message: 'Value is not callable: System message must be at the beginning.',
          type: 'server_error',
        },
      }),
    },
    error: {
      reply: refusal(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
      code: 'unavailable',
    },
  },
  {
    name: 'LM Studio',
    documentation: 'https://lmstudio.ai/docs/developer/openai-compat',
    stream: plain,
    // A model without native support writes the call in LM Studio's own form.
    call: inText('[TOOL_REQUEST]{"name": "find_parcel", "arguments": {"code": "0042"}}[END_TOOL_REQUEST]'),
    takesCall: ({ messages }) => messages.every(({ content }) => typeof content === 'string'),
    callRefusal: refusal(400, {
      error: "Invalid 'content': 'content' field must be a string or an array of objects.",
    }),
    thinking: thought('reasoning_content'),
    temperature: null,
    roles: {
      takes: hasSystemFirst,
      refusal: events(
        'event: error\ndata: {"error":{"message":"Error rendering prompt with jinja template: \\"System message must be at the beginning.\\""}}',
      ),
    },
    error: {
      reply: events(
        'event: error\ndata: {"message":"The model has crashed without additional information."}',
      ),
      code: 'unavailable',
    },
  },
];
