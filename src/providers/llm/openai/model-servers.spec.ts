import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, nat } from 'fast-check';
import { collectTurn, failureOf } from '#test/conformance/chat-model.conformance.js';
import { LocalServer } from '#test/support/http-server.js';
import type { ChatMessage, ChatRequest, ToolDefinition } from '../chat-model.js';
import type { KeepAliveFetch } from './keep-alive-fetch.js';
import { OpenAiChatModel } from './openai-chat-model.js';
import { ANSWER, type ModelServer, SERVERS, THOUGHT } from '#test/support/model-servers/servers.js';
import { type Reply, type SentBody, sendReply } from '#test/support/model-servers/wire-format.js';

const FIND_PARCEL: ToolDefinition = {
  name: 'find_parcel',
  description: 'Finds a parcel.',
  parameters: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
};
/** A greeting, a message without an answer, and a note: what each kind of server refuses something of. */
const CONVERSATION: ChatMessage[] = [
  { role: 'system', content: 'Atenda bem.' },
  { role: 'assistant', content: 'Olá! Como posso ajudar?' },
  { role: 'user', content: 'Bom dia' },
  { role: 'user', content: 'Quando chega?' },
  { role: 'system', content: 'O cliente está calado.' },
];
const ASKED: ChatRequest = { model: 'house-model', messages: CONVERSATION, tools: [], temperature: 0.2 };

let server: LocalServer;
let reply: (body: SentBody) => Reply;
const open: OpenAiChatModel[] = [];

beforeAll(async () => {
  server = await LocalServer.start(({ body }, response) =>
    sendReply(response, reply(JSON.parse(body) as SentBody)),
  );
});
afterEach(async () => {
  for (const model of open.splice(0)) await model.close();
});
afterAll(() => server.stop());

/** One that knows nothing of the server. */
function newModel(): OpenAiChatModel {
  const model = new OpenAiChatModel({ baseUrl: `${server.url}/v1`, timeoutMs: 10_000 });
  open.push(model);
  return model;
}

async function textOf(model: OpenAiChatModel, request: ChatRequest = ASKED): Promise<string> {
  const { text, chunks } = await collectTurn(model, request);
  expect(chunks.some(({ type }) => type === 'retract')).toBe(false);
  return text;
}

describe.each(SERVERS.map((row) => [row.name, row] as const))('%s', (_name, row: ModelServer) => {
  it('streams an answer', async () => {
    reply = () => row.stream;
    expect(await textOf(newModel())).toBe(ANSWER);
  });

  it('calls a tool, and gets back with the result what it has sent with the call', async () => {
    const model = newModel();
    const request: ChatRequest = { ...ASKED, tools: [FIND_PARCEL] };
    reply = () => row.call;
    const { toolCalls, text } = await collectTurn(model, request);
    expect([text, toolCalls]).toMatchObject([
      '',
      [{ name: 'find_parcel', arguments: expect.stringMatching(/"0042"/) }],
    ]);
    reply = (body) => (row.takesCall?.(body) === false && row.callRefusal ? row.callRefusal : row.stream);
    const [call] = toolCalls;
    const result: ChatMessage = {
      role: 'tool',
      toolCallId: call?.id ?? '',
      name: 'find_parcel',
      content: '{}',
    };
    const messages = [...CONVERSATION, { role: 'assistant' as const, content: '', toolCalls }, result];
    expect(await textOf(model, { ...request, messages })).toBe(ANSWER);
  });

  it('keeps its thoughts to itself', async () => {
    const model = newModel();
    reply = () => row.thinking;
    expect(await textOf(model)).toBe(ANSWER);
    expect(JSON.stringify(await collectTurn(model, ASKED))).not.toContain(THOUGHT);
  });

  it('is asked with a temperature, or without one after it has refused it once', async () => {
    const model = newModel();
    reply = ({ temperature }) =>
      temperature !== undefined && row.temperature ? row.temperature : row.stream;
    const before = server.requests.length;
    for (let turn = 0; turn < 3; turn++) expect(await textOf(model)).toBe(ANSWER);
    const bodies = server.requests.slice(before).map(({ body }) => JSON.parse(body) as SentBody);
    const temperatures = bodies.map(({ temperature }) => temperature);
    expect(temperatures).toEqual(row.temperature ? [0.2, undefined, undefined, undefined] : [0.2, 0.2, 0.2]);
  });

  it('gets messages in an order that it takes, also with a greeting and a note', async () => {
    const model = newModel();
    reply = (body) => (row.roles?.takes(body) === false ? row.roles.refusal : row.stream);
    expect(await textOf(model)).toBe(ANSWER);
    const before = server.requests.length;
    expect(await textOf(model)).toBe(ANSWER);
    expect(server.requests).toHaveLength(before + 1);
    const sent = server.requests.at(-1)?.body ?? '';
    for (const { content } of CONVERSATION) expect(sent).toContain(content);
  });

  it('reports its errors', async () => {
    reply = () => row.error.reply;
    expect(await failureOf(newModel(), ASKED)).toMatchObject({ code: row.error.code });
  });
});

it('the documentation has a row for each server, with its source', () => {
  const page = readFileSync(new URL('../../../../docs/reference/model-servers.md', import.meta.url), 'utf8');
  for (const { name, documentation } of SERVERS) {
    expect(page).toMatch(new RegExp(`^\\| ${name.replace('.', '\\.')}`, 'm'));
    expect(page).toContain(documentation);
  }
});

describe('a stream of events', () => {
  const REPLIES = SERVERS.flatMap(({ stream, thinking }) => [stream, thinking]).map(({ body }) => body);

  let pieces: readonly Buffer[];
  let type: string;
  /** A model whose server sends these pieces. */
  const connections = {
    post: () => Promise.resolve({ statusCode: 200, headers: { 'content-type': type }, body: pieces }),
  };
  const model = new OpenAiChatModel({
    baseUrl: 'http://127.0.0.1:9/v1',
    timeoutMs: 10_000,
    connections: connections as unknown as KeepAliveFetch,
  });

  it('is the same answer, cut at every byte', async () => {
    type = 'text/event-stream';
    for (const body of REPLIES) {
      const bytes = Buffer.from(body);
      pieces = [...bytes].map((byte) => Buffer.from([byte]));
      expect((await collectTurn(model, ASKED)).text).toBe(ANSWER);
      for (let at = 0; at < bytes.length; at += 3) {
        pieces = [bytes.subarray(0, at), bytes.subarray(at)];
        expect((await collectTurn(model, ASKED)).text).toBe(ANSWER);
      }
    }
  });

  it('is the same answer, whatever its lines end with and its media type says', async () => {
    const ends = constantFrom('\n', '\r\n', '\r');
    const types = constantFrom('text/event-stream; charset=utf-8', 'application/json', 'text/plain', '');
    await assert(
      asyncProperty(
        constantFrom(...REPLIES),
        ends,
        types,
        array(nat(), { maxLength: 6 }),
        async (body, end, labelled, cuts) => {
          const bytes = Buffer.from(body.replaceAll('\n', end));
          const at = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b)];
          pieces = at.map((from, index) => bytes.subarray(from, at[index + 1] ?? bytes.length));
          type = labelled;
          expect((await collectTurn(model, ASKED)).text).toBe(ANSWER);
        },
      ),
      { numRuns: 500 },
    );
  });
});
