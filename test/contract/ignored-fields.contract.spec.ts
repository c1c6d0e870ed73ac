import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { assistantBody, createAssistant } from '../support/builders.js';

describe('the header Prosa-Ignored-Fields', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 1 });
  });
  afterAll(() => app.stop());

  const ignoredOf = ({ headers }: { headers: Record<string, unknown> }) => headers['prosa-ignored-fields'];

  it('names fields of the body, of objects in lists, and parameters of the query', async () => {
    const answer = await app
      .as(owner)
      .post('/api/user/assistant?dry_run=1')
      .send(
        assistantBody({
          colour: 'red',
          tools: [
            { type: 'end_call', when: 'never' },
            { type: 'dtmf_input', data: { description: 'Menus', tone: 5 } },
          ],
          post_call_schema: [{ name: 'sold', type: 'bool', description: 'Whether it sold', weight: 1 }],
        }),
      )
      .expect(201);
    expect(String(ignoredOf(answer)).split(', ').toSorted()).toEqual([
      'colour',
      'dry_run',
      'post_call_schema.0.weight',
      'tools.0.when',
      'tools.1.tone',
    ]);
  });

  it('is absent where everything is read, and never names the keys of free objects', async () => {
    const body = assistantBody({ variables: { anything: 1 }, tools: [{ type: 'end_call' }] });
    expect(ignoredOf(await app.as(owner).post('/api/user/assistant').send(body).expect(201))).toBeUndefined();
    expect(
      ignoredOf(await app.as(owner).get('/api/user/leads?per_page=5&page=1').expect(200)),
    ).toBeUndefined();
  });

  it('names parameters of a route that has none, and of lists in brackets', async () => {
    expect(ignoredOf(await app.as(owner).get('/api/user/me?fields[]=name&fields[]=email').expect(200))).toBe(
      'fields',
    );
    expect(ignoredOf(await app.as(owner).get('/api/user/calls?order=name').expect(200))).toBe('order');
  });

  it('comes with refusals too', async () => {
    const answer = await app.as(owner).post('/api/user/tools').send({ nome: 'x' }).expect(422);
    expect(ignoredOf(answer)).toBe('nome');
  });

  it('encodes names, has at most 20 of them, and at most 1,000 bytes', async () => {
    const send = async (body: object) => ignoredOf(await app.as(owner).post('/api/user/tools').send(body));
    expect(await send({ 'número, ä': 1 })).toBe('n%C3%BAmero%2C%20%C3%A4');
    const many = await send(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field${at}`, 1])));
    expect(String(many).split(', ')).toHaveLength(20);
    const long = String(await send({ ['x'.repeat(2_000)]: 1, short: 1, ['é'.repeat(150)]: 1 }));
    expect(long).toMatch(/^short, (%C3%A9){150}$/);
    expect(long.length).toBeLessThanOrEqual(1_000);
  });

  it('names what was sent besides the read-only fields of a resource that is sent back', async () => {
    const { id } = await createAssistant(app, owner);
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    const answer = await app
      .as(owner)
      .put(`/api/user/assistant/${id}`)
      .send({ ...body, assistant_name: 'Ana' })
      .expect(200);
    expect(ignoredOf(answer)).toBe('assistant_name');
  });

  it('comes with the refusal of an update of a lead, whose text the contract fixes', async () => {
    const { body, headers } = await app
      .as(owner)
      .put('/api/user/leads/1')
      .send({ email: 'a@b.example' })
      .expect(422);
    expect(body).toEqual({ message: 'Campos inválidos: email' });
    expect(ignoredOf({ headers })).toBe('email');
  });

  it('can be read by pages of other origins', async () => {
    const { headers } = await app.as(owner).get('/api/user/me?x=1').set('Origin', 'https://shop.example');
    expect(headers['access-control-expose-headers']).toContain('Prosa-Ignored-Fields');
  });
});
