import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  createAssistant,
  type CreatedAssistant,
  openConversation,
  sendMessage,
} from '../support/builders.js';

describe('an assistant that is taken off the site', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 5 });
  });
  beforeEach(async () => {
    assistant = await createAssistant(app, owner, {
      challenge_required: true,
      tools: [{ type: 'end_call', description: 'Quando o cliente se despedir' }],
      conversation_ended_retrigger: true,
    });
  });
  afterAll(() => app.stop());

  const setSwitch = (isOn: boolean | null) =>
    app.as(owner).put(`/api/user/assistant/${assistant.id}`).send({ web_chat_enabled: isOn }).expect(200);

  /** What visitors may ask for by the uuid of an assistant. */
  const REQUESTS: [string, (uuid: string) => ReturnType<typeof app.http.get>][] = [
    ['POST /conversations', (uuid) => app.http.post('/api/conversations').send({ assistant_id: uuid })],
    [
      'POST /conversations, by a server with the key',
      (uuid) => app.as(owner).post('/api/conversations').send({ assistant_id: uuid, type: 'widget' }),
    ],
    [
      'POST /conversations/challenges/{uuid}',
      (uuid) => app.http.post(`/api/conversations/challenges/${uuid}`),
    ],
    ['GET /widget/{uuid}', (uuid) => app.http.get(`/api/widget/${uuid}`)],
    ['POST /web-calls', (uuid) => app.http.post('/api/web-calls').send({ assistant_id: uuid })],
  ];

  it.each(REQUESTS)('is not there for %s, in the words of an unknown one', async (_route, request) => {
    await setSwitch(false);
    const { body } = await request(assistant.uuid).expect(404);
    expect(body).toEqual({ status: false, error: 'Assistant not found' });
    expect((await request(randomUUID()).expect(404)).body).toEqual(body);
  });

  it('offers no calls, and is there all the same', async () => {
    await setSwitch(false);
    const { body } = await app.http.get(`/api/web-calls/${assistant.uuid}`).expect(200);
    expect(body).toEqual({ status: true, available: false });
  });

  it('goes on in conversations that are open, to their end, which no message undoes', async () => {
    const open = await createAssistant(app, owner, {
      tools: [{ type: 'end_call', description: 'Quando o cliente se despedir' }],
      conversation_ended_retrigger: true,
    });
    const uuid = await openConversation(app, open);
    await sendMessage(app, uuid, 'Bom dia').expect(200);
    await app.as(owner).put(`/api/user/assistant/${open.id}`).send({ web_chat_enabled: false }).expect(200);
    await sendMessage(app, uuid, 'Que horas a padaria abre?').expect(200);
    await app.http.get(`/api/conversations/${uuid}`).expect(200);
    await sendMessage(app, uuid, 'Pode usar end_conversation').expect(200);
    const { body } = await sendMessage(app, uuid, 'Voltei').expect(400);
    expect(body.status).toBe(false);
    // Back on the site, the same message reopens it.
    await app.as(owner).put(`/api/user/assistant/${open.id}`).send({ web_chat_enabled: true }).expect(200);
    await sendMessage(app, uuid, 'Voltei').expect(200);
  });

  it('is tested by its owner as ever, also again after the end', async () => {
    await setSwitch(false);
    const uuid = await openConversation(app, assistant, { type: 'test' }, owner);
    await sendMessage(app, uuid, 'Pode usar end_conversation').expect(200);
    await sendMessage(app, uuid, 'Voltei').expect(200);
    await app.as(owner).post('/api/user/conversations').send({ assistant_id: assistant.id }).expect(201);
  });

  it('is on the site by default, and by null, whether it is active or not', async () => {
    const read = async () =>
      (await app.as(owner).get(`/api/user/assistant/${assistant.id}`).expect(200)).body;
    expect(await read()).toMatchObject({ web_chat_enabled: true, status: 'inactive' });
    await setSwitch(false);
    expect(await read()).toMatchObject({ web_chat_enabled: false });
    await setSwitch(null);
    expect(await read()).toMatchObject({ web_chat_enabled: true });
    await app.http.get(`/api/widget/${assistant.uuid}`).expect(200);
    await app
      .as(owner)
      .put(`/api/user/assistant/${assistant.id}`)
      .send({ web_chat_enabled: 'no' })
      .expect(422);
  });
});
