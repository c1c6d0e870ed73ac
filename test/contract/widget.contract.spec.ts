import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { assistantBody, createAssistant } from '../support/builders.js';

const SHOP = 'https://shop.example';

describe('a chat on a page', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 1 });
  });
  afterAll(() => app.stop());

  const widget = (uuid: string) => app.http.get(`/api/widget/${uuid}`);

  it('reads what it shows, without a token, and stores nothing', async () => {
    const { uuid } = await createAssistant(app, owner, {
      initial_message: 'Olá, {{name}}!',
      variables: { name: 'visitante' },
    });
    const { body, headers } = await widget(uuid).set('Origin', SHOP).expect(200);
    expect(body).toEqual({
      status: true,
      assistant_id: uuid,
      title: assistantBody().name,
      greeting: 'Olá, visitante!',
      language: 'pt',
      color: null,
      position: 'right',
      consent: null,
      challenge_required: false,
      max_message_length: 2_000,
    });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(await app.query('SELECT FROM conversations')).toEqual([]);
  });

  it('looks as its owner says', async () => {
    const look = {
      widget_title: 'Padaria Central',
      widget_color: '#1C7ED6',
      widget_position: 'left',
      widget_consent: 'Esta conversa é gravada.',
    };
    const { id, uuid } = await createAssistant(app, owner, { ...look, challenge_required: true });
    const path = `/api/user/assistant/${id}`;
    expect((await app.as(owner).get(path)).body).toMatchObject(look);
    expect((await widget(uuid).expect(200)).body).toMatchObject({
      title: 'Padaria Central',
      color: '#1C7ED6',
      position: 'left',
      consent: 'Esta conversa é gravada.',
      challenge_required: true,
    });
    await app.as(owner).put(path).send({ widget_title: null, widget_position: null }).expect(200);
    expect((await widget(uuid).expect(200)).body).toMatchObject({
      title: assistantBody().name,
      position: 'right',
      color: '#1C7ED6',
    });
  });

  it.each([
    ['widget_title', 'x'.repeat(61)],
    ['widget_color', 'red'],
    ['widget_color', '#12345g'],
    ['widget_position', 'top'],
    ['widget_consent', 'x'.repeat(501)],
  ])('refuses a wrong %s', async (field, value) => {
    const { body } = await app
      .as(owner)
      .post('/api/user/assistant')
      .send(assistantBody({ [field]: value }))
      .expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('is for the pages its owner names, and for those of this server', async () => {
    const { uuid } = await createAssistant(app, owner, { allowed_origins: [SHOP] });
    const { headers } = await widget(uuid).set('Origin', SHOP).expect(200);
    expect(headers['access-control-allow-origin']).toBe(SHOP);
    await widget(uuid).expect(200);
    const { body } = await widget(uuid).set('Origin', 'https://evil.example').expect(403);
    expect(body).toEqual({ status: false, error: expect.any(String) });
  });

  it('is 404 {status: false, error} for an assistant that is not there', async () => {
    for (const uuid of [randomUUID(), 'x']) {
      const { body } = await widget(uuid).expect(404);
      expect(body).toEqual({ status: false, error: 'Assistant not found' });
    }
  });
});
