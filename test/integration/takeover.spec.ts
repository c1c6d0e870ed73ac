import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IdempotencyService } from '../../src/modules/idempotency/idempotency.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { until } from '../support/until.js';

/** A model that begins to answer and then takes its time. */
class SlowModel {
  private readonly open = new Set<ServerResponse>();
  private readonly server: Server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(chunk({ content: 'Deixe-me' }))}\n\n`);
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  get asked(): number {
    return this.open.size;
  }

  /** Lets all answers come to their end. */
  finish(): void {
    for (const response of this.open) {
      response.write(`data: ${JSON.stringify(chunk({ content: ' ver.' }, 'stop'))}\n\n`);
      response.end('data: [DONE]\n\n');
    }
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

function chunk(delta: object, finish: string | null = null): object {
  const choices = [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: finish }];
  return { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices };
}

describe('a person who takes over while the AI is answering', () => {
  const model = new SlowModel();
  let app: TestApp;
  /** Another process on the same database. */
  let elsewhere: TestApp;
  let owner: TestAccount;
  let uuid: string;

  beforeAll(async () => {
    const environment = {
      OPENAI_BASE_URL: await model.start(),
      OPENAI_API_KEY: 'test-key',
      OPENAI_MODEL: 'any',
    };
    app = await TestApp.start(environment);
    elsewhere = await TestApp.start(environment, async () => app.database.url);
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 1 });
    uuid = await openConversation(app, await createAssistant(app, owner));
  });
  afterAll(async () => {
    model.stop();
    await elsewhere.stop();
    await app.stop();
  });

  const ask = (accept = 'application/json') =>
    app.http
      .post(`/api/conversations/${uuid}/messages`)
      .set('Accept', accept)
      .send({ message: 'Olá' })
      .then((response) => response);
  const person = (where: TestApp, action: string, body: object = {}) =>
    where.as(owner).post(`/api/user/conversations/${uuid}/${action}`).send(body);
  const messages = async () =>
    (
      await app.query<{ author: string; content: string }>(
        'SELECT author, content FROM messages WHERE conversation_id = $1 ORDER BY id',
        [uuid],
      )
    )
      .slice(1)
      .map(({ author, content }) => `${author}: ${content}`);
  const books = async () => {
    const [row] = await app.query(
      `SELECT balance_micros::int AS balance, held_micros::int AS held,
         (SELECT count(*)::int FROM ledger_entries WHERE user_id = $1 AND kind = 'message') AS charged
       FROM wallets WHERE user_id = $1`,
      [owner.userId],
    );
    return row;
  };
  const UNTOUCHED = { balance: 1_000_000, held: 0, charged: 0 };

  it.each([
    ['a reply', 'messages', { message: 'Aqui é a Marta.' }, ['customer: Olá', 'agent: Aqui é a Marta.']],
    ['the button', 'takeover', {}, ['customer: Olá']],
    ['the end', 'close', {}, ['customer: Olá']],
  ])(
    'by %s: its answer is dropped, the customer gets an empty one, and nothing is charged',
    async (...parts) => {
      const [, action, body, thread] = parts;
      const answer = ask();
      await until(async () => model.asked > 0);
      expect((await person(app, action, body)).status).toBeLessThan(300);
      const { status, body: got } = await answer;
      expect({ status, got }).toEqual({
        status: 200,
        got: { status: true, message: '', function_calls: [] },
      });
      expect(await messages()).toEqual(thread);
      expect(await books()).toEqual(UNTOUCHED);
    },
  );

  it('is heard of when the answer comes before the news', async () => {
    const answer = ask();
    await until(async () => model.asked > 0);
    await person(elsewhere, 'messages', { message: 'Aqui é a Marta.' }).expect(201);
    model.finish();
    const { status, body } = await answer;
    expect({ status, message: body.message }).toEqual({ status: 200, message: '' });
    expect(await messages()).toEqual(['customer: Olá', 'agent: Aqui é a Marta.']);
    expect(await books()).toEqual(UNTOUCHED);
  });

  it('in another process stops the turn within seconds, though the model goes on for ever', async () => {
    const answer = ask();
    await until(async () => model.asked > 0);
    await person(elsewhere, 'takeover').expect(200);
    const { body } = await answer;
    expect(body.message).toBe('');
    await until(async () => model.asked === 0);
    expect(await books()).toEqual(UNTOUCHED);
  }, 20_000);

  it('takes back the words that a stream has shown', async () => {
    const answer = ask('text/event-stream');
    await until(async () => model.asked > 0);
    await person(app, 'takeover').expect(200);
    const { text } = await answer;
    const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    expect(events.slice(-2)).toEqual(['restart', 'done']);
    expect(text).toContain('"message":""');
  });

  it('leaves a turn of the next message alone', async () => {
    const answer = ask();
    await until(async () => model.asked > 0);
    await person(app, 'takeover').expect(200);
    await answer;
    await person(app, 'handback').expect(200);
    const next = ask();
    await until(async () => model.asked > 0);
    model.finish();
    expect((await next).body.message).toBe('Deixe-me ver.');
    expect(await books()).toEqual({ balance: 990_000, held: 0, charged: 1 });
  });

  it('by a reply that is sent again leaves a turn that has begun after it alone', async () => {
    const reply = () =>
      person(app, 'messages', { message: 'Aqui é a Marta.' }).set('Idempotency-Key', 'marta').expect(201);
    // As if the process had died before it could keep its answer.
    const complete = jest.spyOn(app.app.get(IdempotencyService), 'complete').mockResolvedValueOnce();
    await reply();
    complete.mockRestore();
    await app.query('UPDATE idempotency_keys SET leased_until = now() WHERE scope = $1', [
      `account:${owner.userId}`,
    ]);
    await person(app, 'handback').expect(200);
    const answer = ask();
    await until(async () => model.asked > 0);
    await reply();
    model.finish();
    expect((await answer).body.message).toBe('Deixe-me ver.');
  });
});
