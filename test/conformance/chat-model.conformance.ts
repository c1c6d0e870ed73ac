import { describe, expect, it } from '@jest/globals';
import type {
  ChatChunk,
  ChatModel,
  ChatRequest,
  ChatStreamOptions,
  ToolCall,
} from '../../src/providers/llm/chat-model.js';
import { ModelError } from '../../src/providers/llm/model-error.js';

/** What an adapter's spec brings: its model, and requests its provider answers in a known way. */
export interface ChatModelSubject {
  model: () => ChatModel;
  /** Answered by some words of text. */
  textTurn: ChatRequest;
  /** Answered by one call of the named tool. */
  toolTurn: { request: ChatRequest; toolName: string; arguments: Record<string, unknown> };
  /** A word of the answer that follows when the call of `toolTurn` is given this result. */
  toolResult: { content: string; answerContains: string };
  /** Answered by a call of each of the named tools, in this order. */
  parallelTurn: { request: ChatRequest; toolNames: string[] };
  /** A text which is still being made after its first word; left out when the adapter makes no requests. */
  slowTurn?: ChatRequest;
  /** A request that is never answered; left out when the adapter makes no requests. */
  silentTurn?: ChatRequest;
}

export interface CollectedTurn {
  chunks: ChatChunk[];
  text: string;
  toolCalls: ToolCall[];
  finish: Extract<ChatChunk, { type: 'finish' }> | undefined;
}

export async function collectTurn(
  model: ChatModel,
  request: ChatRequest,
  options?: ChatStreamOptions,
): Promise<CollectedTurn> {
  const chunks: ChatChunk[] = [];
  for await (const chunk of model.stream(request, options)) chunks.push(chunk);
  return {
    chunks,
    text: answerIn(chunks),
    toolCalls: chunks.flatMap((chunk) => (chunk.type === 'tool-call' ? [chunk.toolCall] : [])),
    finish: chunks.find((chunk) => chunk.type === 'finish'),
  };
}

/** The text that counts at the end. */
function answerIn(chunks: readonly ChatChunk[]): string {
  const from = chunks.findLastIndex(({ type }) => type === 'retract') + 1;
  return chunks
    .slice(from)
    .map((chunk) => (chunk.type === 'text' ? chunk.text : ''))
    .join('');
}

/** The ModelError a turn ends with; fails when it ends well or with another error. */
export async function failureOf(
  model: ChatModel,
  request: ChatRequest,
  options?: ChatStreamOptions,
): Promise<ModelError> {
  const outcome: unknown = await collectTurn(model, request, options).catch((error: unknown) => error);
  if (outcome instanceof ModelError) return outcome;
  throw new Error('the turn did not end with a ModelError', { cause: outcome });
}

/** Defines the tests every adapter of the ChatModel port passes. */
export function describeChatModelConformance(name: string, subject: ChatModelSubject): void {
  describe(`${name} as a ChatModel`, () => {
    describeTextTurn(subject);
    describeToolTurn(subject);
    describeGivingUp(subject);
  });
}

function describeTextTurn({ model, textTurn }: ChatModelSubject): void {
  it('answers in text and finishes with stop', async () => {
    const turn = await collectTurn(model(), textTurn);

    expect(turn.text.trim()).not.toBe('');
    expect(turn.toolCalls).toEqual([]);
    expect(turn.finish?.reason).toBe('stop');
  });

  it('streams several pieces, none of them empty, and ends with the one finish chunk', async () => {
    const { chunks, text } = await collectTurn(model(), textTurn);
    const pieces = chunks.slice(0, -1);

    expect(pieces.every((chunk) => chunk.type === 'text' && chunk.text !== '')).toBe(true);
    expect(chunks.at(-1)?.type).toBe('finish');
    if (model().capabilities.streaming && text.includes(' ')) expect(pieces.length).toBeGreaterThan(1);
  });

  it('serves several turns at once', async () => {
    const turns = await Promise.all([1, 2, 3].map(() => collectTurn(model(), textTurn)));

    expect(new Set(turns.map((turn) => turn.text)).size).toBe(1);
    expect(turns[0]?.text).not.toBe('');
  });
}

function describeToolTurn({ model, toolTurn, toolResult, parallelTurn }: ChatModelSubject): void {
  it('calls a tool with JSON arguments', async () => {
    const { toolCalls, finish } = await collectTurn(model(), toolTurn.request);

    expect(toolCalls.map((call) => call.name)).toEqual([toolTurn.toolName]);
    expect(toolCalls[0]?.id).toEqual(expect.stringMatching(/^\S+$/));
    expect(JSON.parse(toolCalls[0]?.arguments ?? '')).toEqual(toolTurn.arguments);
    expect(finish?.reason).toBe('tool-calls');
  });

  it("answers from the tool's result instead of calling again", async () => {
    const called = await collectTurn(model(), toolTurn.request);
    const results = called.toolCalls.map((call) => ({
      role: 'tool' as const,
      toolCallId: call.id,
      name: call.name,
      content: toolResult.content,
    }));
    const answered = await collectTurn(model(), {
      ...toolTurn.request,
      messages: [
        ...toolTurn.request.messages,
        { role: 'assistant', content: called.text, toolCalls: called.toolCalls },
        ...results,
      ],
    });

    expect(answered.toolCalls).toEqual([]);
    expect(answered.text).toContain(toolResult.answerContains);
    expect(answered.finish?.reason).toBe('stop');
  });

  it('gives parallel calls an id each and keeps their order', async () => {
    const { toolCalls, finish } = await collectTurn(model(), parallelTurn.request);
    const expected = model().capabilities.parallelToolCalls
      ? parallelTurn.toolNames
      : parallelTurn.toolNames.slice(0, 1);

    expect(toolCalls.map((call) => call.name)).toEqual(expected);
    expect(new Set(toolCalls.map((call) => call.id)).size).toBe(expected.length);
    expect(finish?.reason).toBe('tool-calls');
  });
}

function describeGivingUp({ model, textTurn, slowTurn, silentTurn }: ChatModelSubject): void {
  it('sends no request when the caller has already cancelled', async () => {
    const error = await failureOf(model(), textTurn, { signal: AbortSignal.abort() });

    expect(error).toMatchObject({ code: 'aborted', retryable: false });
  });

  it('stops quickly when cancelled in the middle of the text', async () => {
    const controller = new AbortController();
    let abortedAtMs = 0;
    let piecesAfterAbort = 0;
    const reading = (async () => {
      for await (const chunk of model().stream(slowTurn ?? textTurn, { signal: controller.signal })) {
        if (abortedAtMs > 0) piecesAfterAbort += 1;
        if (abortedAtMs === 0 && chunk.type === 'text') {
          abortedAtMs = performance.now();
          controller.abort();
        }
      }
    })();

    await expect(reading).rejects.toMatchObject({ name: 'ModelError', code: 'aborted' });
    expect(performance.now() - abortedAtMs).toBeLessThan(250);
    expect(piecesAfterAbort).toBe(0);
  });

  it('lets the reader leave early', async () => {
    const seen: ChatChunk[] = [];
    for await (const chunk of model().stream(slowTurn ?? textTurn)) {
      seen.push(chunk);
      break;
    }

    expect(seen).toHaveLength(1);
  });

  if (silentTurn === undefined) return;
  it('gives up on a silent provider after the time allowed', async () => {
    const startedAtMs = performance.now();
    const error = await failureOf(model(), silentTurn, { timeoutMs: 150 });
    const tookMs = performance.now() - startedAtMs;

    expect(error).toMatchObject({ code: 'timeout', retryable: true });
    expect(tookMs).toBeGreaterThanOrEqual(140);
    expect(tookMs).toBeLessThan(1000);
  });
}
