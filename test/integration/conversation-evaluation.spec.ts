import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { Transactions } from '../../src/database/transactions.js';
import { ConversationEndingsService } from '../../src/modules/conversations/endings/conversation-endings.service.js';
import { IdleConversationsService } from '../../src/modules/conversations/endings/idle-conversations.service.js';
import { ErasureRunnerService } from '../../src/modules/privacy/erasure-runner.service.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { ChatModelRegistry } from '../../src/providers/llm/chat-model-registry.js';
import type { ChatModel } from '../../src/providers/llm/chat-model.js';
import { ModelError } from '../../src/providers/llm/model-error.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { ScriptedChatModel } from '../support/scripted-chat-model.js';
import { until } from '../support/until.js';

const HOOK = 'https://hooks.example.com/ended';
const SCHEMA = [
  { name: 'city', type: 'string', description: 'City of the customer' },
  { name: 'guests', type: 'number', description: 'How many guests' },
  { name: 'booked', type: 'bool', description: 'Whether a table is booked' },
];
const FOUND = { status: true, summary: 'Quer uma mesa.', city: 'Recife', guests: 4, booked: true };
const UNKNOWN = { status: null, summary: null, city: null, guests: null, booked: null };
const USAGE = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 20 };

/** Jobs are not worked off here: tests run the work themselves, as a worker does, or not. */
describe('the evaluation of a conversation at its end', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;
  let transcripts: string[];
  /** What the model reports; an error is thrown. */
  let report: object | Error;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 5 });
    assistant = await create();
    transcripts = [];
    report = FOUND;
    const script = new ScriptedChatModel(({ messages, toolChoice }) => {
      if (toolChoice !== 'required') return { text: 'Claro.', usage: USAGE };
      transcripts.push(messages.map(({ content }) => content).join('\n'));
      if (report instanceof Error) throw report;
      return { calls: [{ name: 'report_evaluation', args: report }], usage: USAGE };
    });
    const model: ChatModel = {
      provider: 'openai-compatible',
      capabilities: script.capabilities,
      stream: (request, options) => script.stream(request, options),
    };
    jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue(model);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => app.stop());

  const create = (settings: object = {}) =>
    createAssistant(app, owner, {
      conversation_ended_webhook_url: HOOK,
      post_call_schema: SCHEMA,
      tools: [{ type: 'end_call', description: 'Quando o cliente se despedir' }],
      ...settings,
    });
  const say = (uuid: string, message = 'Mesa para 4 em Recife') =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message }).expect(200);
  const close = (uuid: string) => app.as(owner).post(`/api/user/conversations/${uuid}/close`).expect(200);
  const conclude = (uuid: string) =>
    app.app.get(ConversationEndingsService, { strict: false }).conclude({ conversationId: uuid });
  const shown = async (uuid: string) =>
    (await app.as(owner).get(`/api/user/conversations/${uuid}`).expect(200)).body;

  async function goIdle(uuid: string): Promise<void> {
    await app.query('UPDATE conversations SET idle_at = now() WHERE id = $1', [uuid]);
    await app.app.get(IdleConversationsService, { strict: false }).endIdle();
  }

  async function open(of = assistant): Promise<string> {
    const uuid = await openConversation(app, of);
    await say(uuid);
    return uuid;
  }

  /** What was sent, in order; each event has an id of its own. */
  async function events(): Promise<Record<string, unknown>[]> {
    const rows = await app.query<{ body: string }>(
      `SELECT body FROM webhook_deliveries WHERE user_id = $1 AND kind = 'conversation-ended' ORDER BY id`,
      [owner.userId],
    );
    return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }
  const pending = async (uuid: string) =>
    (await app.query('SELECT FROM conversation_endings WHERE conversation_id = $1', [uuid])).length;

  it.each([
    ['it is idle', goIdle],
    ['a person closes it', close],
    ['the assistant ends it', (uuid: string) => say(uuid, 'Tchau')],
  ])('is made when %s, and the webhook waits for it', async (how, end) => {
    if (how === 'the assistant ends it') {
      const script = new ScriptedChatModel(({ toolChoice }) =>
        toolChoice === 'required'
          ? { calls: [{ name: 'report_evaluation', args: FOUND }] }
          : { text: 'Até logo.', calls: [{ name: 'end_conversation' }] },
      );
      jest.spyOn(app.app.get(ChatModelRegistry, { strict: false }), 'select').mockResolvedValue({
        provider: 'openai-compatible',
        capabilities: script.capabilities,
        stream: (request, options) => script.stream(request, options),
      });
    }
    const uuid = how === 'the assistant ends it' ? await openConversation(app, assistant) : await open();
    expect((await shown(uuid)).extracted_variables).toEqual({});
    await end(uuid);
    expect((await shown(uuid)).ended_at).not.toBeNull();
    expect(await events()).toEqual([]);
    await conclude(uuid);
    expect(await events()).toMatchObject([
      { conversation_id: uuid, status: 'ended', extracted_variables: FOUND },
    ]);
    expect((await shown(uuid)).extracted_variables).toEqual(FOUND);
    const { body } = await app.as(owner).get('/api/user/conversations').expect(200);
    expect(body.data[0].extracted_variables).toEqual(FOUND);
  });

  it('is made once and sent once, also when several processes ask for it', async () => {
    const uuid = await open();
    await close(uuid);
    await close(uuid);
    await goIdle(uuid);
    await Promise.all([conclude(uuid), conclude(uuid), conclude(uuid)]);
    const asked = transcripts.length;
    await conclude(uuid);
    expect(await events()).toHaveLength(1);
    expect(transcripts).toHaveLength(asked);
    const { tokens } = await shown(uuid);
    // Of the message, and of the one evaluation that was stored.
    expect(tokens.input).toBe(2 * USAGE.inputTokens);
  });

  it('covers all messages of all authors, by the instructions of the assistant', async () => {
    const uuid = await open();
    await app
      .as(owner)
      .post(`/api/user/conversations/${uuid}/messages`)
      .send({ message: 'Aqui é a Bia.' })
      .expect(201);
    await close(uuid);
    await conclude(uuid);
    expect(transcripts[0]).toContain('You evaluate a chat that is over');
    expect(transcripts[0]).toContain('Padaria Central');
    expect(transcripts[0]).toContain('Customer: Mesa para 4 em Recife\nAI: Claro.\nAgent: Aqui é a Bia.');
    expect(transcripts[0]).not.toContain('Answered by');
  });

  it('costs the account nothing, and its tokens are counted with those of the conversation', async () => {
    const uuid = await open();
    const before = await app.balanceUsd(owner);
    const { tokens, total_cost: cost } = await shown(uuid);
    await close(uuid);
    await conclude(uuid);
    expect(await app.balanceUsd(owner)).toBe(before);
    const after = await shown(uuid);
    expect(after.total_cost).toBe(cost);
    expect(after.tokens.input).toBe(tokens.input + USAGE.inputTokens);
    expect(after.tokens.output).toBe(tokens.output + USAGE.outputTokens);
  });

  it.each([
    ['that no customer has written in', async () => openConversation(app, assistant)],
    [
      'that is a test',
      async () => {
        const uuid = await openConversation(app, assistant, { type: 'test' }, owner);
        await say(uuid);
        return uuid;
      },
    ],
    ['whose assistant opts out', async () => open(await create({ post_call_evaluation: false }))],
  ])('is not made of one %s, and the webhook says so by an empty object', async (_which, make) => {
    const uuid = await make();
    await goIdle(uuid);
    await conclude(uuid);
    expect(transcripts).toEqual([]);
    expect(await events()).toMatchObject([{ conversation_id: uuid, extracted_variables: {} }]);
    expect((await shown(uuid)).extracted_variables).toEqual({});
  });

  it('is made without a webhook as well', async () => {
    const uuid = await open(await create({ conversation_ended_webhook_url: null }));
    await close(uuid);
    await conclude(uuid);
    expect((await shown(uuid)).extracted_variables).toEqual(FOUND);
    expect(await events()).toEqual([]);
  });

  it('leaves nothing to do where there is neither an evaluation nor a webhook', async () => {
    const uuid = await open(
      await create({ conversation_ended_webhook_url: null, post_call_evaluation: false }),
    );
    await close(uuid);
    expect(await pending(uuid)).toBe(0);
  });

  describe('while the model does not answer', () => {
    beforeEach(() => {
      report = new ModelError('unavailable');
    });
    const age = (uuid: string, seconds: number) =>
      app.query(
        `UPDATE conversation_endings SET created_at = created_at - make_interval(secs => $2) WHERE conversation_id = $1`,
        [uuid, seconds],
      );

    it('is asked for again, and nothing is sent before', async () => {
      const uuid = await open();
      await close(uuid);
      await expect(conclude(uuid)).rejects.toThrow(ModelError);
      expect(await events()).toEqual([]);
      report = FOUND;
      await conclude(uuid);
      expect(await events()).toMatchObject([{ extracted_variables: FOUND }]);
    });

    it('ends after twice the time of an answer, with unknown values', async () => {
      const uuid = await open();
      await close(uuid);
      await age(uuid, 300);
      await conclude(uuid);
      expect(await events()).toMatchObject([{ extracted_variables: UNKNOWN }]);
      expect((await shown(uuid)).extracted_variables).toEqual(UNKNOWN);
    });

    it('is not even asked after ten minutes', async () => {
      const uuid = await open();
      await close(uuid);
      await age(uuid, 601);
      await conclude(uuid);
      expect(transcripts).toEqual([]);
      expect(await events()).toMatchObject([{ extracted_variables: UNKNOWN }]);
    });

    it('is taken up by the sweep where its job was lost, after a minute', async () => {
      const uuid = await open();
      await close(uuid);
      const queue = app.app.get<Queue>(getQueueToken('conclude-conversation'), { strict: false });
      await until(async () => (await queue.getJobCountByTypes('wait')) > 0);
      await queue.obliterate({ force: true });
      const sweep = () => app.app.get(ConversationEndingsService, { strict: false }).sweep();
      await sweep();
      expect(await queue.getJobCountByTypes('wait')).toBe(0);
      await age(uuid, 61);
      await sweep();
      await until(async () => (await queue.getJobCountByTypes('wait')) === 1);
    });
  });

  it('is of what was said until the end, also when the conversation goes on before it is made', async () => {
    const own = await create({ conversation_ended_retrigger: true });
    const uuid = await open(own);
    await close(uuid);
    await say(uuid, 'Voltei: agora somos 6');
    await conclude(uuid);
    expect(transcripts[0]).not.toContain('Voltei');
    expect((await events())[0]).toMatchObject({ status: 'ended', message_count: 3 });
    report = { ...FOUND, guests: 6 };
    await close(uuid);
    await conclude(uuid);
    expect(transcripts[1]).toContain('Voltei');
    expect(await events()).toMatchObject([
      { message_count: 3, extracted_variables: FOUND },
      { message_count: 5, extracted_variables: { ...FOUND, guests: 6 } },
    ]);
    expect((await shown(uuid)).extracted_variables).toEqual({ ...FOUND, guests: 6 });
  });

  describe('of a person whose number is erased', () => {
    const NUMBER = '+5511987650123';

    async function erase() {
      const { body } = await app
        .as(owner)
        .post('/api/user/privacy/erase')
        .send({ phone_number: NUMBER })
        .expect(202);
      const { id } = body.data;
      await app.app.get(ErasureRunnerService).run(id);
      return (await app.as(owner).get(`/api/user/privacy/erasures/${id}`).expect(200)).body.status;
    }

    it('goes with the conversation, also one that is about to be made', async () => {
      report = { ...FOUND, summary: `Liga de ${NUMBER}.` };
      const uuids = [];
      for (const isMade of [true, false]) {
        const uuid = await open();
        await say(uuid, `Meu número é ${NUMBER}`);
        await close(uuid);
        if (isMade) await conclude(uuid);
        uuids.push(uuid);
      }
      expect(await erase()).toBe('completed');
      for (const uuid of uuids) {
        await conclude(uuid);
        expect((await shown(uuid)).extracted_variables).toEqual({});
      }
      expect(await events()).toEqual([]);
    });

    it('waits for the evaluation of another conversation that mentions the number, and removes the number from it', async () => {
      report = { ...FOUND, summary: `Fala de ${NUMBER}.` };
      const uuid = await open();
      await app
        .as(owner)
        .post(`/api/user/conversations/${uuid}/messages`)
        .send({ message: `Ligue para ${NUMBER}` })
        .expect(201);
      await close(uuid);
      expect(await erase()).toBe('processing');
      await conclude(uuid);
      expect(await erase()).toBe('completed');
      const { summary } = (await shown(uuid)).extracted_variables;
      expect(summary).toBe('Fala de ***.');
    });
  });

  it('is not made for an assistant that is deleted before it', async () => {
    const uuid = await open();
    await close(uuid);
    await app.as(owner).delete(`/api/user/assistant/${assistant.id}`).expect(200);
    await conclude(uuid);
    expect(transcripts).toEqual([]);
    expect(await events()).toEqual([]);
    expect(await pending(uuid)).toBe(0);
  });

  it('sends no second event for a conversation that a process of the release before has ended and announced', async () => {
    const uuid = await open();
    await close(uuid);
    const { message_count: occurrence } = await shown(uuid);
    await app.app.get(Transactions, { strict: false }).run((tx) =>
      app.app.get(WebhooksService, { strict: false }).enqueue(
        {
          userId: owner.userId,
          kind: 'conversation-ended',
          assistantId: assistant.id,
          subjectId: uuid,
          occurrence,
          url: HOOK,
          payload: { from: 'the release before' },
        },
        tx,
      ),
    );
    await conclude(uuid);
    expect(await events()).toEqual([{ from: 'the release before' }]);
    expect((await shown(uuid)).extracted_variables).toEqual(FOUND);
  });
});
