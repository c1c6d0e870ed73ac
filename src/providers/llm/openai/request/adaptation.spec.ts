import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { collectTurn, failureOf } from '#test/conformance/chat-model.conformance.js';
import { answerJson, LocalServer } from '#test/support/http-server.js';
import type { ChatMessage, ChatRequest, ToolDefinition } from '../../chat-model.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from '../openai-chat-model.js';

interface Body {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: object[];
  }[];
  readonly tools?: readonly { readonly function: Record<string, unknown> }[];
  readonly [parameter: string]: unknown;
}

const BOOK: ToolDefinition = {
  name: 'book',
  description: 'Books.',
  parameters: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { format: { type: 'string', format: 'date' }, seats: { type: 'integer', minimum: 1 } },
    additionalProperties: false,
  },
};
const END: ToolDefinition = {
  name: 'end',
  description: 'Ends.',
  parameters: { type: 'object', properties: {} },
};
const HISTORY: ChatMessage[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Two seats' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'book', arguments: '{"seats":2}' }] },
  { role: 'tool', toolCallId: 'c1', name: 'book', content: '{"ok":true}' },
];
const REQUEST: ChatRequest = {
  model: 'house-model',
  reasoningEffort: 'low',
  messages: HISTORY,
  tools: [BOOK, END],
  temperature: 0.4,
  maxOutputTokens: 200,
};

let server: LocalServer;
/** What the server says against a request; null where it takes it. */
let objection: (body: Body) => { status?: number; error: unknown } | null;
let answer: object = { content: 'Done.' };
const open: OpenAiChatModel[] = [];

beforeAll(async () => {
  server = await LocalServer.start(({ body, path }, response) => {
    if (path === '/v1/models')
      return answerJson(
        response,
        ['bge-m3', 'Echo', 'house-model'].map((id) => ({ id })),
      );
    const refused = objection(JSON.parse(body) as Body);
    if (refused) return answerJson(response, refused.error, refused.status ?? 400);
    answerJson(response, { choices: [{ index: 0, message: answer, finish_reason: 'stop' }] });
  });
});
afterEach(async () => {
  answer = { content: 'Done.' };
  for (const model of open.splice(0)) await model.close();
});
afterAll(() => server.stop());

function newModel(options: Partial<OpenAiChatModelOptions> = {}): OpenAiChatModel {
  const model = new OpenAiChatModel({ baseUrl: `${server.url}/v1`, timeoutMs: 10_000, ...options });
  open.push(model);
  return model;
}

/** The bodies of the requests that two turns made. */
async function twoTurns(request: ChatRequest = REQUEST, model = newModel()): Promise<Body[]> {
  const before = server.requests.length;
  for (let turn = 0; turn < 2; turn++) expect((await collectTurn(model, request)).text).toBe('Done.');
  return server.requests
    .slice(before)
    .filter(({ path }) => path.endsWith('/completions'))
    .map(({ body }) => JSON.parse(body) as Body);
}

const badRequest = (message: string, more: object = {}) => ({
  error: { error: { message, type: 'invalid_request_error', ...more } },
});

describe('a parameter that a server refuses by name', () => {
  it.each([
    ['temperature', 'invalid temperature: only 1 is allowed for this model', {}],
    ['temperature', 'Unsupported value', { param: 'temperature' }],
    ['stream_options', 'Unrecognized request argument supplied: stream_options', {}],
    ['reasoning_effort', "Unsupported value: 'reasoning_effort' does not support 'low' with this model.", {}],
  ])('%s is left out from then on: %s', async (name, message, more) => {
    objection = (body) => (name in body ? badRequest(message, more) : null);
    const bodies = await twoTurns();
    expect(bodies.map((body) => name in body)).toEqual([true, false, false]);
    expect(Object.keys(bodies[2] ?? {})).toEqual(expect.arrayContaining(['tools', 'max_tokens', 'stream']));
  });

  it.each([
    [
      'a detail of FastAPI',
      422,
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
        ],
      },
    ],
    [
      'a list',
      400,
      [
        {
          error: {
            code: 400,
            message: 'Unknown name "stream_options": Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    ['a text', 400, { error: 'unknown field "stream_options"' }],
    ['no JSON', 400, 'stream_options: not supported'],
  ])('is understood as %s', async (_form, status, error) => {
    objection = (body) => ('stream_options' in body ? { status, error } : null);
    expect(await twoTurns()).toHaveLength(3);
  });

  it('may be one of several, one after another', async () => {
    objection = (body) => {
      const name = ['temperature', 'stream_options', 'reasoning_effort'].find(
        (parameter) => parameter in body,
      );
      return name === undefined ? null : badRequest(`Unknown parameter: '${name}'.`, { param: name });
    };
    expect(await twoTurns()).toHaveLength(5);
  });

  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_completion_tokens',
    ],
    ['max_tokens is too large: 200. This model supports at most 100 completion tokens.', undefined],
  ])('max_tokens gives way: %s', async (message, name) => {
    objection = (body) => ('max_tokens' in body ? badRequest(message) : null);
    const [, second, third] = await twoTurns();
    expect(third).toEqual(second);
    expect(name === undefined ? 'max_completion_tokens' in (second ?? {}) : second?.[name]).toBe(
      name === undefined ? false : 200,
    );
  });

  it('is remembered for its model and server alone', async () => {
    objection = (body) =>
      body.model === 'house-model' && 'temperature' in body ? badRequest('no temperature') : null;
    const model = newModel();
    await twoTurns(REQUEST, model);
    const others = await twoTurns({ ...REQUEST, model: 'other-model' }, model);
    expect(others.map(({ temperature }) => temperature)).toEqual([0.4, 0.4]);
  });

  it('is not remembered where the next request is refused as well, and other refusals are not tried again', async () => {
    objection = () => badRequest('The temperature of this request is too high for you.');
    const model = newModel();
    const before = server.requests.length;
    expect(await failureOf(model, REQUEST)).toMatchObject({ code: 'rejected' });
    expect(server.requests).toHaveLength(before + 2);
    objection = () => null;
    expect((await twoTurns(REQUEST, model)).map(({ temperature }) => temperature)).toEqual([0.4, 0.4]);
    for (const message of [
      'No such model.',
      "This model's maximum context length is 10 tokens, with max_tokens",
      'bad',
    ]) {
      objection = () => badRequest(message);
      const asked = server.requests.length;
      expect(await failureOf(newModel(), REQUEST)).toMatchObject({ code: 'rejected' });
      expect(server.requests).toHaveLength(asked + 1);
    }
  });
});

describe('tools that a server refuses', () => {
  it('go without parameters where they have none', async () => {
    objection = ({ tools = [] }) =>
      tools.some(({ function: { parameters } }) =>
        JSON.stringify(parameters ?? '').includes('"properties":{}'),
      )
        ? badRequest('function_declarations[1].parameters.properties: should be non-empty for OBJECT type')
        : null;
    const [, second] = await twoTurns();
    expect(second?.tools?.map(({ function: { parameters } }) => parameters)).toEqual([
      BOOK.parameters,
      undefined,
    ]);
  });

  it('have properties in any case', async () => {
    objection = () => null;
    const [first] = await twoTurns({ ...REQUEST, tools: [{ ...END, parameters: { type: 'object' } }] });
    expect(first?.tools?.[0]?.function['parameters']).toEqual({ type: 'object', properties: {} });
  });

  it('go without the keywords of JSON Schema that are named, and keep properties of the same name', async () => {
    objection = ({ tools }) => {
      const name = ['"$schema":', '"additionalProperties":', '"format":"date"'].find((part) =>
        JSON.stringify(tools).includes(part),
      );
      const keyword = /\w+/.exec(name ?? '')?.[0];
      return name === undefined
        ? null
        : badRequest(
            `Unknown name "${name.startsWith('"$') ? '$schema' : keyword}" at 'tools[0]': Cannot find field.`,
          );
    };
    const last = (await twoTurns()).at(-1);
    expect(last?.tools?.[0]?.function['parameters']).toEqual({
      type: 'object',
      properties: { format: { type: 'string' }, seats: { type: 'integer', minimum: 1 } },
    });
  });

  it('are asked for in words where a call cannot be required', async () => {
    objection = ({ tool_choice: choice }) =>
      choice === 'required' ? badRequest('tool_choice only supports auto in thinking mode') : null;
    const bodies = await twoTurns({ ...REQUEST, messages: HISTORY.slice(0, 2), toolChoice: 'required' });
    expect(bodies.map(({ tool_choice: choice }) => choice)).toEqual(['required', 'auto', 'auto']);
    expect(String(bodies[1]?.messages[0]?.content)).toContain('book');
    expect(bodies[1]?.messages).toHaveLength(2);
  });

  it.each([
    'registry.ollama.ai/library/gemma3:4b does not support tools',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ])('are declared in words where the model has none: %s', async (message) => {
    objection = ({ tools }) => (tools ? badRequest(message) : null);
    answer = { content: '<tool_call>{"name": "book", "arguments": {"seats": 3}}</tool_call>' };
    const model = newModel();
    const { toolCalls, text } = await collectTurn(model, REQUEST);
    expect([text, toolCalls]).toMatchObject(['', [{ name: 'book', arguments: '{"seats": 3}' }]]);
    answer = { content: 'Done.' };
    const [body] = await twoTurns(REQUEST, model);
    expect(body?.tools).toBeUndefined();
    expect(body?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(body?.messages)).toContain('"ok');
  });
});

describe('messages that a server refuses', () => {
  it.each([
    ['null', "Invalid type for 'messages[2].content': expected a string, but got null instead.", ''],
    ['an empty text', 'messages: text content blocks must be non-empty', undefined],
  ])('have another content next to calls: %s', async (_name, message, expected) => {
    objection = ({ messages }) => {
      const content = messages[2]?.content;
      return content === null || (expected === undefined && content === '') ? badRequest(message) : null;
    };
    const last = (await twoTurns()).at(-1);
    expect(last?.messages[2]?.content).toBe(expected);
    expect(last?.messages[2]?.tool_calls).toHaveLength(1);
  });

  it('get a placeholder for a signature that is not known', async () => {
    objection = ({ messages }) =>
      JSON.stringify(messages).includes('thought_signature')
        ? null
        : badRequest('Function call is missing a thought_signature in functionCall parts.');
    const last = (await twoTurns()).at(-1);
    expect(last?.messages[2]?.tool_calls?.[0]).toMatchObject({
      extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
    });
  });

  const NOTE: ChatMessage = { role: 'system', content: 'The customer is silent.' };
  const TALK: ChatMessage[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'How can I help?' },
  ];
  const SYSTEM_FIRST = (body: Body) => body.messages.slice(1).every(({ role }) => role !== 'system');
  const NO_SYSTEM = (body: Body) => body.messages.every(({ role }) => role !== 'system');
  const USER_LAST = (body: Body) => ['user', 'tool'].includes(body.messages.at(-1)?.role ?? '');
  const ALTERNATING = (body: Body) => {
    const said = body.messages.filter(
      ({ role, tool_calls: calls }, at) => !(at === 0 && role === 'system') && role !== 'tool' && !calls,
    );
    return said.length > 0 && said.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
  };
  const STRICT = 'Conversation roles must alternate user/assistant/user/assistant/...';

  it.each([
    ['a note at the end', [...TALK, NOTE], SYSTEM_FIRST, 'System message must be at the beginning.'],
    [
      'a note and then calls',
      [...TALK, NOTE, ...HISTORY.slice(2)],
      SYSTEM_FIRST,
      'System message must be at the beginning.',
    ],
    ['a note at the end, strictly', [...TALK, NOTE], ALTERNATING, STRICT],
    ['a note behind a result, strictly', [...HISTORY, NOTE], ALTERNATING, STRICT],
    ['calls in the middle, strictly', [...HISTORY, { role: 'user', content: 'And?' }], ALTERNATING, STRICT],
    ['a greeting alone', [...TALK.slice(0, 2), NOTE], ALTERNATING, STRICT],
    ['only instructions', TALK.slice(0, 1), ALTERNATING, STRICT],
    ['no instructions at all', TALK.slice(1, 3), ALTERNATING, STRICT],
    ['the assistant last', TALK, USER_LAST, 'Expected last role User or Tool but got assistant'],
    ['no system role', [...TALK, NOTE], NO_SYSTEM, 'System role not supported'],
    [
      'no system role, strictly',
      [...TALK, { role: 'user', content: 'x' }, NOTE],
      (body: Body) => NO_SYSTEM(body) && ALTERNATING(body),
      `System role not supported; ${STRICT}`,
    ],
  ] as [string, ChatMessage[], (body: Body) => boolean, string][])(
    'are sent in an order that it takes: %s',
    async (_name, messages, takes, message) => {
      for (const status of [400, 500]) {
        objection = (body) => (takes(body) ? null : { ...badRequest(message), status });
        const bodies = await twoTurns({ ...REQUEST, messages });
        const last = bodies.at(-1);
        expect(bodies.length).toBeLessThanOrEqual(5);
        expect(last).toEqual(bodies.at(-2));
        for (const { content } of messages)
          expect(JSON.stringify(last?.messages)).toContain(JSON.stringify(content).slice(1, -1));
      }
    },
  );
});

describe('an answer that a server could not read from its model', () => {
  it('is asked for once more, and not again', async () => {
    const failed = {
      error: {
        error: {
          message: 'Failed to call a function.',
          code: 'tool_use_failed',
          failed_generation: '<function=',
        },
      },
    };
    let left = 1;
    objection = () => (left-- > 0 ? failed : null);
    expect((await collectTurn(newModel(), REQUEST)).text).toBe('Done.');
    left = 5;
    const before = server.requests.length;
    expect(await failureOf(newModel(), REQUEST)).toMatchObject({ code: 'rejected' });
    expect(server.requests).toHaveLength(before + 2);
  });
});

describe('a model that does not chat', () => {
  it('gives way to the next of the list, for good', async () => {
    objection = ({ model }) => (model === 'Echo' ? badRequest('"Echo" does not support chat') : null);
    const model = newModel({ replacesUnknownModels: true });
    const bodies = await twoTurns({ ...REQUEST, model: 'gpt-9' }, model);
    expect(bodies.map((body) => body.model)).toEqual(['Echo', 'house-model', 'house-model']);
  });

  it('is not asked where it is the one that embeds', async () => {
    objection = () => null;
    const model = newModel({ replacesUnknownModels: true, embeddingModel: 'Echo:latest' });
    expect((await twoTurns({ ...REQUEST, model: 'gpt-9' }, model))[0]?.model).toBe('house-model');
  });
});
