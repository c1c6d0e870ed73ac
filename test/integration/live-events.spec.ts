import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DrainService } from '../../src/common/http/connections/drain.service.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { LiveEventsService } from '../../src/common/live/live-events.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { hasRedis, RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

interface Hint {
  readonly type: string;
  readonly ids: readonly (number | string)[];
}

/** A reader of hints, as a page is one. */
class Watcher {
  readonly hints: (Hint & { readonly at: number })[] = [];
  isOver = false;
  private text = '';

  private constructor(
    private readonly call: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (piece: string) => this.read(piece));
    response.on('close', () => (this.isOver = true));
    response.on('error', () => undefined);
  }

  static open(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<Watcher> {
    return new Promise((resolve, reject) => {
      const call = request(`${app.origin}${path}`, {
        agent: false,
        headers: { Accept: 'text/event-stream', ...headers },
      });
      call.on('error', reject);
      call.on('response', (response) => resolve(new Watcher(call, response)));
      call.end();
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  /** Without the news that it has begun. */
  get news(): Hint[] {
    return this.hints.filter(({ type }) => type !== 'resync').map(({ type, ids }) => ({ type, ids }));
  }

  close(): void {
    this.call.destroy();
  }

  private read(piece: string): void {
    this.text += piece;
    const events = this.text.split('\n\n');
    this.text = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: ')) continue;
      this.hints.push({ ...(JSON.parse(event.slice('data: '.length)) as Hint), at: performance.now() });
    }
  }
}

describe.each(hasRedis ? ['PostgreSQL', 'Redis'] : ['PostgreSQL'])('live events over %s', (carrier) => {
  let redis: RedisServer | undefined;
  let app: TestApp;
  /** Another process on the same database. */
  let elsewhere: TestApp;
  let owner: TestAccount;
  let uuid: string;
  let watchers: Watcher[] = [];

  beforeAll(async () => {
    redis = carrier === 'Redis' ? await RedisServer.start() : undefined;
    const environment: Record<string, string> = redis ? { REDIS_URL: redis.url } : {};
    app = await TestApp.start(environment);
    elsewhere = await TestApp.start(environment, async () => app.database.url);
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account({ balanceUsd: 1 });
    uuid = await openConversation(app, await createAssistant(app, owner));
  });
  afterEach(() => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  });
  afterAll(async () => {
    await elsewhere.stop();
    await app.stop();
    await redis?.stop();
  });

  const watch = async (where: TestApp, path: string, headers: Record<string, string> = {}) => {
    const watcher = await Watcher.open(where, path, headers);
    watchers.push(watcher);
    return watcher;
  };
  const asOwner = (who = owner) => ({ Authorization: `Bearer ${who.token}` });
  const watchAccount = (where = app, who = owner) => watch(where, '/api/user/events', asOwner(who));
  const watchConversation = (where = app) => watch(where, `/api/conversations/${uuid}/events`);
  const ready = (watcher: Watcher) => until(() => watcher.hints.some(({ type }) => type === 'resync'));
  const send = (message = 'Olá') =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message }).expect(200);
  const act = (action: string, body: object = {}) =>
    app.as(owner).post(`/api/user/conversations/${uuid}/${action}`).send(body);

  it("tells the tenant's people of a customer's message, in every process", async () => {
    const [here, there] = [await watchAccount(), await watchAccount(elsewhere)];
    for (const watcher of [here, there]) await ready(watcher);
    await send();
    for (const watcher of [here, there]) await until(() => watcher.news.length > 0);
    for (const { news } of [here, there]) expect(news[0]).toEqual({ type: 'conversation', ids: [uuid] });
  });

  it('tells the customer of what a person writes, and that a person is there', async () => {
    const customer = await watchConversation(elsewhere);
    await ready(customer);
    const { body } = await act('messages', { message: 'Aqui é a Marta.' }).expect(201);
    await until(() => customer.news.length >= 2);
    expect(customer.news).toEqual(
      expect.arrayContaining([
        { type: 'message', ids: [body.data.id] },
        { type: 'state', ids: [] },
      ]),
    );
  });

  it('tells each side that the other types, and stores nothing', async () => {
    const [person, customer] = [await watchAccount(), await watchConversation(elsewhere)];
    await ready(customer);
    await act('typing').expect(200);
    await app.http.post(`/api/conversations/${uuid}/typing`).expect(200);
    await until(() => person.news.length > 0 && customer.news.length > 0);
    expect(person.news).toEqual([{ type: 'typing', ids: [uuid] }]);
    expect(customer.news).toEqual([{ type: 'typing', ids: [] }]);
  });

  it.each(['takeover', 'handback', 'close', 'reopen', 'read', 'unread'])('tells of %s', async (action) => {
    const person = await watchAccount();
    await act(action).expect(200);
    await until(() => person.news.length > 0);
    expect(person.news).toEqual([{ type: 'conversation', ids: [uuid] }]);
  });

  it('sends events to no other account', async () => {
    const other = await app.account();
    const otherUuid = await openConversation(
      app,
      await createAssistant(app, await app.account({ balanceUsd: 1 })),
    );
    const strangers = [
      await watchAccount(app, other),
      await watch(app, `/api/conversations/${otherUuid}/events`),
      await watchAccount(elsewhere, other),
    ];
    const mine = await watchAccount(elsewhere);
    await ready(mine);
    await send();
    await act('messages', { message: 'x' });
    await until(() => mine.news.length > 0);
    await sleep(300);
    for (const stranger of strangers) expect(stranger.news).toEqual([]);
  });

  it("sends the account's members the status of a call and its deletion", async () => {
    const person = await watchAccount(elsewhere);
    await ready(person);
    const calls = app.app.get(CallsService);
    const { userId } = owner;
    const { id } = await calls.open(userId, { assistantName: 'Bia', type: 'outbound' });
    const steps = [
      () => calls.move(userId, id, { from: 'initiated', to: 'ringing' }),
      () => calls.move(userId, id, { from: 'ringing', to: 'busy' }),
      () => calls.delete(userId, id),
    ];
    for (const [taken, step] of steps.entries()) {
      await step();
      await until(() => person.news.length > taken);
      expect(person.news.at(-1)).toEqual({ type: 'call', ids: [id] });
    }
  });

  it('joins what comes at once into one hint', async () => {
    const person = await watchAccount(elsewhere);
    await ready(person);
    const live = app.app.get(LiveEventsService);
    for (let id = 1; id <= 500; id++) live.publish(`account ${owner.userId}`, 'call', id);
    await until(() => person.news.flatMap(({ ids }) => ids).length >= 500);
    expect(new Set(person.news.flatMap(({ ids }) => ids)).size).toBe(500);
    expect(person.news.length).toBeLessThanOrEqual(5);
  });

  it('says what it answers with, and refuses who takes no events, has no token, or names no conversation', async () => {
    const { response, status } = await watchAccount();
    expect(status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const { body } = await app.as(owner).get('/api/user/events').expect(406);
    expect(body).toEqual({ message: 'O cabeçalho Accept deve ser text/event-stream' });
    await app.http.get('/api/user/events').set('Accept', 'text/event-stream').expect(401);
    await app.http
      .get('/api/conversations/5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e/events')
      .set('Accept', 'text/event-stream')
      .expect(404);
  });
});

describe('the streams of a process', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({
      RATE_LIMITS: 'on',
      STREAMS_PER_ACCOUNT: '2',
      VISITOR_STREAMS_PER_ACCOUNT: '3',
    });
    owner = await app.account({ balanceUsd: 1 });
  });
  afterAll(() => app.stop());

  const open = (path: string) => Watcher.open(app, path, { Authorization: `Bearer ${owner.token}` });

  it("are bounded for an account's people and for its visitors, each apart", async () => {
    const assistant = await createAssistant(app, owner);
    const uuids = [await openConversation(app, assistant), await openConversation(app, assistant)];
    const people = [await open('/api/user/events'), await open('/api/user/events')];
    const visitors = [];
    for (const uuid of [...uuids, ...uuids]) visitors.push(await open(`/api/conversations/${uuid}/events`));
    const refused = await open('/api/user/events');
    expect([...people, refused, ...visitors].map(({ status }) => status)).toEqual([
      200, 200, 429, 200, 200, 200, 429,
    ]);
    for (const watcher of [...people, refused, ...visitors]) watcher.close();
    let again: Watcher | undefined;
    await until(async () => {
      again = await open('/api/user/events');
      again.close();
      return again.status === 200;
    });
  });
});

describe('a drain', () => {
  it('ends all streams at once, and waits for none of them', async () => {
    const app = await TestApp.start();
    try {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await openConversation(app, await createAssistant(app, owner));
      const headers = { Authorization: `Bearer ${owner.token}` };
      const watchers = [
        await Watcher.open(app, '/api/user/events', headers),
        await Watcher.open(app, `/api/conversations/${uuid}/events`),
      ];
      const startedAt = performance.now();
      expect(await app.app.get(DrainService).close(20_000)).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      await until(() => watchers.every(({ isOver }) => isOver));
    } finally {
      await app.stop();
    }
  });
});
