import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TurnsRepository } from '../../src/modules/conversations/turns/turns.repository.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import { ModelError } from '../../src/providers/llm/model-error.js';
import { NO_TOKENS } from '../../src/common/figures/token-sum.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { ScriptedChatModel, type ScriptedTurn } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';

const usage = (inputTokens: number, outputTokens: number, cachedInputTokens: number | null = null) => ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
});
const TOOL_STEP = { calls: [{ name: 'none_such' }], usage: usage(100, 10, 60) };

describe('the tokens of a conversation', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: { readonly id: number; readonly uuid: string };
  let uuid: string;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    jest.restoreAllMocks();
    owner = await app.account({ balanceUsd: 1 });
    assistant = await createAssistant(app, owner);
    uuid = await openConversation(app, assistant);
  });
  afterAll(() => app.stop());

  function modelSays(...turns: readonly ScriptedTurn[]): ScriptedChatModel {
    const model = ScriptedChatModel.saying(...turns);
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
    return model;
  }

  const send = () => app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' });

  /** Input, of it from the cache, output. */
  async function tokens(): Promise<(number | null)[]> {
    const [row] = await app.query<{ tokens: (number | null)[] }>(
      `SELECT json_build_array(input_tokens, cached_input_tokens, output_tokens) AS tokens
       FROM conversations WHERE id = $1`,
      [uuid],
    );
    return row?.tokens ?? [];
  }

  it('are those of all requests of all its turns', async () => {
    modelSays(TOOL_STEP, { text: 'Oi.', usage: usage(200, 20) }, { text: 'De novo.', usage: usage(7, 1, 0) });
    await send().expect(200);
    expect(await tokens()).toEqual([300, 60, 30]);
    await send().expect(200);
    expect(await tokens()).toEqual([307, 60, 31]);
    const { body } = await app.as(owner).get(`/api/user/conversations/${uuid}`).expect(200);
    expect(body.tokens).toEqual({ input: 307, cached_input: 60, output: 31 });
  });

  it('stay unknown while no model tells them, and as they are when one does not', async () => {
    modelSays({ text: 'Oi.' }, { text: 'Oi.', usage: usage(5, 0) }, { text: 'Oi.' });
    await send().expect(200);
    expect(await tokens()).toEqual([null, null, null]);
    await send().expect(200);
    await send().expect(200);
    expect(await tokens()).toEqual([5, null, 0]);
  });

  it('hold what was reported before a turn failed', async () => {
    modelSays(TOOL_STEP, { fails: new ModelError('rejected') }, { text: 'Oi.', usage: usage(1, 1) });
    await send().expect(400);
    expect(await tokens()).toEqual([100, 60, 10]);
    await send().expect(200);
    expect(await tokens()).toEqual([101, 60, 11]);
  });

  it('hold what was reported before a person took over', async () => {
    const model = modelSays(TOOL_STEP, { text: 'Um momento', isSilentAfter: true });
    const sent = send().then((response) => response);
    await until(async () => model.requests.length === 2);
    await app.as(owner).post(`/api/user/conversations/${uuid}/takeover`).expect(200);
    expect((await sent).body).toMatchObject({ message: '' });
    expect(await tokens()).toEqual([100, 60, 10]);
  });

  describe('of a turn by itself', () => {
    let turns: TurnsRepository;
    const reported = usage(40, 4, 1);

    beforeEach(() => {
      turns = app.app.get(TurnsRepository, { strict: false });
    });

    async function begin() {
      const [row] = await app.query<{ version: string }>('SELECT assistant_version($1, $2) AS version', [
        owner.userId,
        assistant.id,
      ]);
      const token = randomUUID();
      const begun = await turns.begin({
        conversationId: uuid,
        token,
        leaseMs: 15_000,
        content: 'Olá',
        version: row?.version ?? null,
        reactivates: true,
        historyLimit: 1,
        hold: null,
      });
      if (begun.outcome !== 'begun') throw new Error(`not begun: ${begun.outcome}`);
      return { conversationId: uuid, token, messageId: begun.messageId, holdId: null };
    }

    const answer = { text: 'Oi.', functionCalls: [], endsConversation: false, handoff: null };

    it('are added once, also when the stored answer is then looked for', async () => {
      const turn = await begin();
      const id = await turns.finish(turn, { ...answer, tokens: reported });
      expect(await turns.abandon(turn, reported)).toBe(id);
      expect(await tokens()).toEqual([40, 1, 4]);
    });

    it('are added to a conversation that another turn has by now, and leave it to that', async () => {
      const lost = await begin();
      await app.query('UPDATE conversations SET turn_expires_at = now() WHERE id = $1', [uuid]);
      const next = await begin();
      expect(await turns.finish(lost, { ...answer, tokens: reported })).toBeNull();
      expect(await turns.abandon(lost, reported)).toBeNull();
      expect(await tokens()).toEqual([40, 1, 4]);
      expect(await turns.finish(next, { ...answer, tokens: NO_TOKENS })).not.toBeNull();
      expect(await tokens()).toEqual([40, 1, 4]);
    });
  });
});
