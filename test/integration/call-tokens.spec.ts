import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallAdoptionService } from '../../src/modules/call-sessions/call-adoption.service.js';
import type { ChatModel, ChatRequest, TokenUsage } from '../../src/providers/llm/chat-model.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { ScriptedChatModel, type ScriptedTurn } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';

const USAGE = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 10 };
const EVALUATION = { text: '{"status":true,"summary":"Comprou pão."}' };

describe('the tokens of a call', () => {
  let app: TestApp;
  let owner: TestAccount;
  /** Requests whose tokens were reported. */
  let reported = 0;
  let numbers = 0;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '20' });
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 10 });
    reported = 0;
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => app.stop());

  /** A model that is no sandbox, so that it evaluates as well. */
  function modelSays(usage: TokenUsage | null, answer: (request: ChatRequest) => ScriptedTurn): void {
    const script = new ScriptedChatModel((request) => ({ ...answer(request), ...(usage ? { usage } : {}) }));
    const model: ChatModel = {
      provider: 'openai-compatible',
      capabilities: script.capabilities,
      async *stream(request, options) {
        for await (const chunk of script.stream(request, options)) {
          if (chunk.type === 'finish') reported++;
          yield chunk;
        }
      },
    };
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
  }

  async function dial(overrides: object = {}): Promise<number> {
    const { id } = await createAssistant(app, owner, {
      type: 'outbound',
      post_call_evaluation: false,
      ...overrides,
    });
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: `+551194${10_000 + numbers++}00`, assistant_id: id })
      .expect(200);
    return body.call_id;
  }

  const isOver = (callId: number) =>
    until(
      async () => (await app.query('SELECT FROM active_calls WHERE call_id = $1', [callId])).length === 0,
      25_000,
    );
  const read = async (callId: number) =>
    (await app.as(owner).get(`/api/user/calls/${callId}`).expect(200)).body;
  const times = (requests: number) => ({
    input: 100 * requests,
    cached_input: 60 * requests,
    output: 10 * requests,
  });

  it('are those of its answers', async () => {
    modelSays(USAGE, () => ({ text: 'Temos pão.' }));
    const callId = await dial();
    await isOver(callId);
    expect(reported).toBeGreaterThan(0);
    expect((await read(callId)).tokens).toEqual(times(reported));
  }, 40_000);

  it('hold those of its evaluation', async () => {
    let evaluations = 0;
    modelSays(USAGE, ({ toolChoice }) => {
      if (toolChoice !== 'required') return { text: 'Temos pão.' };
      evaluations++;
      return evaluations === 1 ? { text: 'Não sei.' } : EVALUATION;
    });
    const callId = await dial({ post_call_evaluation: true });
    await isOver(callId);
    // An answer that cannot be used has cost as much.
    expect(evaluations).toBe(2);
    expect(reported).toBeGreaterThan(evaluations);
    expect(await read(callId)).toMatchObject({
      evaluation: { summary: 'Comprou pão.' },
      tokens: times(reported),
    });
  }, 40_000);

  it('are unknown where the model does not tell them', async () => {
    modelSays(null, ({ toolChoice }) => (toolChoice === 'required' ? EVALUATION : { text: 'Temos pão.' }));
    const callId = await dial({ post_call_evaluation: true });
    await isOver(callId);
    expect(reported).toBeGreaterThan(1);
    expect((await read(callId)).tokens).toBeNull();
  }, 40_000);

  it('hold those of both processes where another one goes on with the call', async () => {
    modelSays(USAGE, () => ({ text: 'Temos pão quente, bolos, tortas e café o dia inteiro. '.repeat(6) }));
    const callId = await dial();
    await until(() => reported > 0, 25_000);
    await app.app.get(CallAdoptionService, { strict: false }).adopt(callId, true);
    const before = reported;
    await isOver(callId);
    expect(reported).toBeGreaterThan(before);
    // The process that lost the call counts its own tokens when it notices.
    await until(async () => (await read(callId)).tokens?.input >= 100 * reported);
    expect((await read(callId)).tokens).toEqual(times(reported));
  }, 40_000);
});
