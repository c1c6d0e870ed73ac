import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  createAssistant,
  type CreatedAssistant,
  openConversation,
  sendMessage,
} from '../support/builders.js';
import { parseEvents } from '../support/event-streams.js';

const PRICE_USD = 0.01;

describe('conversations', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account({ balanceUsd: 5 });
  });
  afterAll(() => app.stop());

  describe('Hand over to another assistant', () => {
    const HAND_OVER = 'Chame handoff_to_assistant: Vendas';
    let sales: CreatedAssistant;
    let reception: CreatedAssistant;

    beforeAll(async () => {
      sales = await createActive({
        name: 'Vendas',
        system_prompt: 'Você vende bolos. O bolo de milho custa vinte reais.',
      });
      reception = await createAssistant(app, account, {
        name: 'Recepção',
        tools: [handoffTo(sales, { message: 'Um momento, {{name}}.' })],
        variables: { name: 'Ana' },
      });
    });

    const createActive = async (fields: Record<string, unknown>) => {
      const created = await createAssistant(app, account, fields);
      await switchStatus(created.id, 'active');
      return created;
    };
    const handoffTo = (to: CreatedAssistant, fields: object = {}) => {
      return { type: 'handoff', destinations: [{ assistant_id: to.id, description: 'Compras', ...fields }] };
    };
    const thread = async (uuid: string) =>
      (await app.as(account).get(`/api/user/conversations/${uuid}/messages`).expect(200)).body.data as {
        author: string;
        assistant_name?: string;
      }[];
    const speakers = async (uuid: string) =>
      (await thread(uuid))
        .filter(({ author }) => author === 'ai')
        .map((message) => message.assistant_name ?? null);
    const switchStatus = (assistantId: number, status: string) =>
      app.as(account).put(`/api/user/assistant/${assistantId}`).send({ status }).expect(200);

    it('goes on in the same conversation with the prompt of the other one, and says so in its messages', async () => {
      const uuid = await openConversation(app, reception);
      await sendMessage(app, uuid, 'Que horas a padaria abre?').expect(200);
      const { body } = await sendMessage(app, uuid, HAND_OVER).expect(200);
      expect(body).toEqual({
        status: true,
        message: 'Um momento, Ana.\n\nHello! How can I help you?',
        function_calls: [
          {
            name: 'handoff_to_assistant',
            arguments: { assistant: 'Vendas' },
            result: { handed_over: true, assistant_id: sales.id, assistant_name: 'Vendas' },
          },
        ],
      });
      const { body: next } = await sendMessage(app, uuid, 'Quanto custa o bolo de milho?').expect(200);
      expect(next.message).toBe('O bolo de milho custa vinte reais.');
      const { body: gone } = await sendMessage(app, uuid, 'Que horas a padaria abre?').expect(200);
      expect(gone.message).not.toContain('6 horas');
      expect(await speakers(uuid)).toEqual([null, null, 'Vendas', 'Vendas', 'Vendas']);
    });

    it('is charged and counted as any message of the conversation, which stays that of its own assistant', async () => {
      const before = await app.balanceUsd(account);
      const uuid = await openConversation(app, reception);
      await sendMessage(app, uuid, HAND_OVER).expect(200);
      await sendMessage(app, uuid, 'Quanto custa o bolo de milho?').expect(200);
      expect(await app.balanceUsd(account)).toBeCloseTo(before - 2 * PRICE_USD, 6);
      const { body } = await app.as(account).get(`/api/user/conversations/${uuid}`).expect(200);
      const item = body.data ?? body;
      expect(item).toMatchObject({ assistant_id: reception.uuid, message_count: 5, total_cost: 0.02 });
    });

    it('streams the words said at the hand-over before those of the other one', async () => {
      const uuid = await openConversation(app, reception);
      const { text } = await app.http
        .post(`/api/conversations/${uuid}/messages`)
        .set('Accept', 'text/event-stream')
        .send({ message: HAND_OVER })
        .expect(200);
      const events = parseEvents(text);
      const said = events.filter(({ event }) => event === 'token').map(({ data }) => data.delta);
      expect(said.join('')).toBe('Um momento, Ana.\n\nHello! How can I help you?');
      expect(events.map(({ event }) => event).filter((event) => event !== 'token')).toEqual([
        'function_call',
        'done',
      ]);
    });

    it('is refused to the model while the other one is inactive, and the customer stays', async () => {
      const uuid = await openConversation(app, reception);
      await switchStatus(sales.id, 'inactive');
      const { body } = await sendMessage(app, uuid, HAND_OVER).expect(200);
      await switchStatus(sales.id, 'active');
      expect(body.function_calls[0].result).toEqual({
        error: 'Vendas is not available. Go on with the customer yourself.',
      });
      expect(await speakers(uuid)).toEqual([null, null]);
    });

    it('comes to an end after ten in one conversation', async () => {
      const back = await createActive({ name: 'Volta' });
      const there = await createActive({ name: 'Ida', tools: [handoffTo(back)] });
      await app
        .as(account)
        .put(`/api/user/assistant/${back.id}`)
        .send({ tools: [handoffTo(there)] })
        .expect(200);
      const uuid = await openConversation(app, there);
      const turns = Array.from({ length: 11 }, (_, turn) => (turn % 2 === 0 ? 'Volta' : 'Ida'));
      const results: Record<string, unknown>[] = [];
      for (const name of turns) {
        const { body } = await sendMessage(app, uuid, `Chame handoff_to_assistant: ${name}`).expect(200);
        results.push(body.function_calls[0].result);
      }
      expect(results.slice(0, 10).every((result) => result.handed_over === true)).toBe(true);
      expect(results[10]).toEqual({
        error: 'The customer has been handed over too often. Go on with the customer yourself.',
      });
      // The even ones gave it back to the conversation's own assistant.
      expect((await speakers(uuid)).slice(1, 5)).toEqual(['Volta', null, 'Volta', null]);
    });

    it('leaves the conversation to its own assistant when the other one is deleted, and is not offered any more', async () => {
      const short = await createActive({ name: 'Vendas' });
      const first = await createAssistant(app, account, {
        tools: [{ type: 'end_call', description: 'Fim' }, handoffTo(short)],
      });
      const uuid = await openConversation(app, first);
      await sendMessage(app, uuid, HAND_OVER).expect(200);
      await app.as(account).delete(`/api/user/assistant/${short.id}`).expect(200);
      const { body } = await sendMessage(app, uuid, 'Que horas a padaria abre?').expect(200);
      expect(body.message).toContain('6 horas');
      expect(await speakers(uuid)).toEqual([null, 'Vendas', null]);
      const { body: read } = await app.as(account).get(`/api/user/assistant/${first.id}`).expect(200);
      expect(read.tools).toEqual([{ type: 'end_call', description: 'Fim' }]);
    });

    it('is refused at save to an assistant of another account, to itself, to none, and to one twice', async () => {
      const other = await app.account();
      const foreign = await createAssistant(app, other);
      const save = (assistantId: number, destinations: object[]) =>
        app
          .as(account)
          .put(`/api/user/assistant/${assistantId}`)
          .send({ tools: [{ type: 'handoff', destinations }] });
      const to = (id: number) => ({ assistant_id: id, description: 'Compras' });
      const field = (place: number) => `tools.0.destinations.${place}.assistant_id`;
      const { body: strange } = await save(reception.id, [to(foreign.id), to(999_999)]).expect(422);
      const [mine, missing] = [strange.errors[field(0)], strange.errors[field(1)]];
      expect(String(mine).replace('destinations.0', 'destinations.1')).toBe(String(missing));
      const { body: own } = await save(reception.id, [to(reception.id)]).expect(422);
      expect(own.errors[field(0)]).toEqual([`O campo ${field(0)} não pode ser o próprio assistente.`]);
      const { body: twice } = await save(reception.id, [to(sales.id), to(sales.id)]).expect(422);
      expect(twice.errors[field(1)]).toEqual([`O campo ${field(1)} repete outro assistente da lista.`]);
      await save(reception.id, []).expect(422);
    });

    it('is not shown to visitors by name', async () => {
      const uuid = await openConversation(app, reception);
      await sendMessage(app, uuid, HAND_OVER).expect(200);
      const { body } = await app.http.get(`/api/conversations/${uuid}/messages`).expect(200);
      expect(body.data.at(-1)).not.toHaveProperty('assistant_name');
    });
  });
});
