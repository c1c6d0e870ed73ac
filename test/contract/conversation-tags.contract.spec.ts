import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';

describe('tags of a conversation', () => {
  let app: TestApp;
  let owner: TestAccount;
  let other: TestAccount;
  let assistant: CreatedAssistant;
  let uuid: string;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    [owner, other] = await Promise.all([app.account({ balanceUsd: 5 }), app.account()]);
    assistant = await createAssistant(app, owner);
    uuid = await openConversation(app, assistant, {}, owner);
  });
  afterAll(() => app.stop());

  const tag = (tags: unknown, who: { readonly token: string } = owner, id = uuid) =>
    app.as(who).put(`/api/user/conversations/${id}/tags`).send({ tags });
  const item = async () => (await app.as(owner).get(`/api/user/conversations/${uuid}`).expect(200)).body;
  const found = async (query: object, who: { readonly token: string } = owner): Promise<string[]> => {
    const { body } = await app.as(who).get('/api/user/conversations').query(query).expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const key = async (scopes: readonly string[]): Promise<{ readonly token: string }> => {
    const { body } = await app
      .as(owner)
      .post('/api/user/api-keys')
      .send({ name: scopes.join(), scopes })
      .expect(201);
    return { token: body.api_key.token };
  };

  it('are shown with the conversation, and absent without any', async () => {
    const before = await item();
    expect(before).not.toHaveProperty('tags');
    expect((await tag(['retorno', ' VIP ', 'retorno ']).expect(200)).body).toEqual({
      message: 'Tags atualizadas com sucesso',
      data: { tags: ['VIP', 'retorno'] },
    });
    expect(await item()).toEqual({ ...before, tags: ['VIP', 'retorno'] });
    const { body } = await app.as(owner).get('/api/user/conversations').expect(200);
    expect(body.data).toMatchObject([{ id: uuid, tags: ['VIP', 'retorno'] }]);
    await tag([]).expect(200);
    expect(await item()).toEqual(before);
  });

  it('find conversations of the account, also with other filters and in each order', async () => {
    const untagged = await openConversation(app, assistant, {}, owner);
    await tag(['VIP']).expect(200);
    expect(await found({})).toEqual([untagged, uuid]);
    expect(await found({ tag: 'VIP' })).toEqual([uuid]);
    expect(await found({ tag: 'vip' })).toEqual([]);
    expect(await found({ tag: 'VIP', state: 'ended' })).toEqual([]);
    expect(await found({ tag: 'VIP' }, other)).toEqual([]);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
    expect(await found({ tag: 'VIP', sort: 'activity' })).toEqual([uuid]);
    await app
      .as(owner)
      .get('/api/user/conversations')
      .query({ tag: 'x'.repeat(41) })
      .expect(422);
  });

  it('are not in what customers read', async () => {
    await tag(['reclamação']).expect(200);
    const { text } = await app.http.get(`/api/conversations/${uuid}`).expect(200);
    expect(text).not.toContain('reclamação');
  });

  it('are at most ten short texts, set by people who may chat in this account', async () => {
    await tag(Array.from({ length: 11 }, (_, at) => `t${at}`)).expect(422);
    await tag(['x'.repeat(41)]).expect(422);
    await tag('x').expect(422);
    await tag(['x'], await key(['read'])).expect(403);
    await tag(['x'], await key(['chat'])).expect(200);
    await tag(['x'], other).expect(404);
    await tag(['x'], owner, '00000000-0000-4000-8000-000000000000').expect(404);
  });

  it('are the last ones that were set, when two people set them at once', async () => {
    const sets = [['a', 'b'], ['c'], ['d', 'e']];
    await Promise.all(sets.map((tags) => tag(tags).expect(200)));
    expect(sets).toContainEqual((await item()).tags);
  });
});
