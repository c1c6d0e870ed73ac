import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember, createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';

const PASSWORD = 'correct horse battery';

interface Person {
  readonly token: string;
  /** Null for the owner. */
  readonly id: number | null;
}

describe('the assignee of a conversation', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: CreatedAssistant;
  let owner: Person;
  let bia: Person;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    account = await app.account({ password: PASSWORD, balanceUsd: 5 });
    const { body } = await app.http
      .post('/api/auth/login')
      .send({ email: account.email, password: PASSWORD })
      .expect(200);
    owner = { token: body.token, id: null };
    bia = await addMember(app, account);
    assistant = await createAssistant(app, account);
  });
  afterAll(() => app.stop());

  const written = async () => {
    const uuid = await openConversation(app, assistant, {}, account);
    await app.http.post(`/api/conversations/${uuid}/messages`).send({ message: 'Olá' }).expect(200);
    return uuid;
  };
  const assign = (uuid: string, body: object, who: { readonly token: string } = owner) =>
    app.as(who).put(`/api/user/conversations/${uuid}/assignee`).send(body);
  const act = (uuid: string, action: string, who: { readonly token: string }) =>
    app.as(who).post(`/api/user/conversations/${uuid}/${action}`);
  const item = async (uuid: string) =>
    (await app.as(owner).get(`/api/user/conversations/${uuid}`).expect(200)).body;
  const idsOf = async (assignee: string, who: { readonly token: string } = owner) => {
    const { body } = await app.as(who).get('/api/user/conversations').query({ assignee }).expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  /** A session of a key for chats: it is of no person. */
  const limitedSession = async () => {
    const key = { name: 'chat', scopes: ['read', 'chat'] };
    const { body } = await app.as(account).post('/api/user/api-keys').send(key).expect(201);
    const { headers } = await app.as(body.api_key).post('/api/auth/session').expect(200);
    return { token: /prosa_sess_\w+/.exec(String(headers['set-cookie']))?.[0] ?? '' };
  };
  const asMember = ({ id }: Person, name = 'Bia') => ({ member_id: id, owner: false, name });
  const asOwner = () => ({ member_id: null, owner: true, name: expect.any(String) });

  it('is a member or the owner, and absent while the conversation is unassigned', async () => {
    const uuid = await written();
    expect(await item(uuid)).not.toHaveProperty('assignee');
    const { body } = await assign(uuid, { member_id: bia.id }).expect(200);
    expect(body).toEqual({ message: expect.any(String), data: await item(uuid) });
    expect(body.data.assignee).toEqual(asMember(bia));
    await assign(uuid, { member_id: null, owner: true }, bia).expect(200);
    expect((await item(uuid)).assignee).toEqual(asOwner());
    await assign(uuid, { member_id: null }).expect(200);
    expect(await item(uuid)).not.toHaveProperty('assignee');
  });

  it('can be sent back as it was read', async () => {
    const uuid = await written();
    await assign(uuid, { member_id: null, owner: true }).expect(200);
    await assign(uuid, (await item(uuid)).assignee).expect(200);
    expect((await item(uuid)).assignee).toEqual(asOwner());
  });

  it('filters the list: of the caller, of the owner, of a member, and unassigned', async () => {
    const [mine, hers, free] = [await written(), await written(), await written()];
    await assign(mine, { member_id: null, owner: true }).expect(200);
    await assign(hers, { member_id: bia.id }).expect(200);
    expect(await idsOf('me')).toEqual([mine]);
    expect(await idsOf('owner', bia)).toEqual([mine]);
    expect(await idsOf('me', bia)).toEqual([hers]);
    expect(await idsOf(String(bia.id))).toEqual([hers]);
    expect(await idsOf('none')).toEqual([free]);
    expect(await idsOf('me', account)).toEqual([]);
    expect(await idsOf('me', await limitedSession())).toEqual([]);
    await app.as(owner).get('/api/user/conversations').query({ assignee: 'Bia' }).expect(422);
  });

  it('becomes the person who takes over or answers an unassigned conversation, and then stays', async () => {
    const [taken, answered, byKey] = [await written(), await written(), await written()];
    const first = await act(taken, 'takeover', bia).expect(200);
    expect(first.body.data.assignee).toEqual(asMember(bia));
    await act(taken, 'takeover', owner).expect(200);
    await act(taken, 'messages', owner).send({ message: 'Bom dia' }).expect(201);
    expect((await item(taken)).assignee).toEqual(asMember(bia));
    await act(answered, 'messages', owner).send({ message: 'Bom dia' }).expect(201);
    await act(answered, 'takeover', bia).expect(200);
    expect((await item(answered)).assignee).toEqual(asOwner());
    await act(byKey, 'takeover', account).expect(200);
    expect(await item(byKey)).not.toHaveProperty('assignee');
    await act(byKey, 'takeover', await limitedSession()).expect(200);
    expect(await item(byKey)).not.toHaveProperty('assignee');
  });

  it('is removed with the member', async () => {
    const uuid = await written();
    await assign(uuid, { member_id: bia.id }).expect(200);
    await app.as(owner).delete(`/api/user/members/${bia.id}`).expect(200);
    expect(await item(uuid)).not.toHaveProperty('assignee');
    expect(await idsOf('none')).toEqual([uuid]);
  });

  it('is refused for a person of another account, and for a conversation of one', async () => {
    const uuid = await written();
    const other = await app.account({ password: PASSWORD, balanceUsd: 5 });
    const { body } = await assign(uuid, { member_id: 1_999_999_999 }).expect(422);
    const theirs = await openConversation(app, await createAssistant(app, other), {}, other);
    await assign(theirs, { member_id: bia.id }, other).expect(422);
    await assign(uuid, { member_id: bia.id }, other).expect(404);
    await assign(uuid, { member_id: null, owner: true }, other).expect(404);
    await assign(uuid, {}).expect(422);
    expect(body.errors).toHaveProperty('member_id');
    expect(await item(uuid)).not.toHaveProperty('assignee');
  });

  it('is not shown to the customer', async () => {
    const uuid = await written();
    await assign(uuid, { member_id: bia.id }).expect(200);
    const { body } = await app.http.get(`/api/conversations/${uuid}`).expect(200);
    expect(JSON.stringify(body)).not.toContain('Bia');
    expect(body).not.toHaveProperty('assignee');
  });

  it('is one of the people who may answer, whom viewers do not list', async () => {
    const viewer = await addMember(app, account, { role: 'viewer', name: 'Vera' });
    const { body } = await app.as(bia).get('/api/user/conversations/assignees').expect(200);
    expect(body).toEqual({ data: [asOwner(), asMember(bia)] });
    await app.as(viewer).get('/api/user/conversations/assignees').expect(403);
    const { body: refused } = await assign(await written(), { member_id: viewer.id }).expect(422);
    expect(Object.keys(refused.errors)).toEqual(['member_id']);
  });
});
