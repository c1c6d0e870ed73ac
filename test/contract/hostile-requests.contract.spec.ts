import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestBodyObject } from '@nestjs/swagger';
import { type TestAccount, TestApp } from '../support/app.js';
import { createTool } from '../support/builders.js';

/** What generated requests have found, each kept as a case of its own. */
describe('Requests that are not what they say', () => {
  let app: TestApp;
  let account: TestAccount;
  let tool: number;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account({ balanceUsd: 1 });
    tool = await createTool(app, account);
  });
  afterAll(() => app.stop());

  it.each([
    '%00',
    '%ed%a0%80',
    '0',
    '-1',
    '01',
    '1.0',
    '1e0',
    '0x1',
    '%201',
    '2147483648',
    '9223372036854775808',
  ])('an id written as %s is answered as one that is not there', async (id) => {
    const response = await app.as(account).delete(`/api/user/tools/${id}`);
    expect([400, 404]).toContain(response.status);
    expect(Object.keys(response.body)).toEqual(['message']);
    await app.as(account).put(`/api/user/tools/${tool}`).send({}).expect(200);
  });

  it('an id that is not percent-encoded text is 400 {message}', async () => {
    const { body } = await app.as(account).delete('/api/user/tools/%zz').expect(400);
    expect(body).toEqual({ message: 'Requisição inválida' });
  });

  it('a field named __proto__ is a field as any other in the texts of a refusal', async () => {
    const { body } = await app.as(account).get('/api/user/conversations?__proto__=%00').expect(422);
    expect(Object.entries(body.errors)).toEqual([['__proto__', [expect.any(String)]]]);
  });

  it('100,000 values in an unknown field are refused before any work is done on them', async () => {
    const startedAt = performance.now();
    const { body } = await app
      .as(account)
      .post('/api/user/api-keys')
      .send({ name: 'CRM', extra: Array.from({ length: 100_000 }, () => 1) })
      .expect(422);
    expect(body.message).toEqual(expect.any(String));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('a body that is an array is refused on every route that takes one, and changes nothing', async () => {
    let checked = 0;
    for (const { method, path, operation } of app.contract.routes) {
      const { content } = (operation.requestBody ?? { content: {} }) as RequestBodyObject;
      if (!content['application/json']) continue;
      const url = path.replace('{uuid}', randomUUID()).replace(/\{\w+\}/g, String(tool));
      const as = app.as(account);
      const response = await as[method](url)
        .set('Content-Type', 'application/json')
        .set('Accept', 'application/json')
        .send('[{"name":"x"}]');
      expect({ method, path, status: response.status }).toEqual({ method, path, status: 400 });
      expect(JSON.stringify(response.body)).toMatch(/objeto JSON|JSON object/);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(25);
  });

  it('a Host header that is no host does not reach the URLs of a page', async () => {
    const { body } = await app.as(account).get('/api/user/folders').set('Host', '[::').expect(200);
    expect(body.data).toEqual([]);
    const page = await app.as(account).get('/api/user/assistants/get').set('Host', '[::').expect(200);
    expect(page.body.path).toBe('http://localhost/api/user/assistants/get');
  });

  it('a conditional request that takes nothing there is is 304 without a body', async () => {
    const { text } = await app.as(account).get('/api/user/me').set('If-None-Match', '*').expect(304);
    expect(text).toBe('');
  });
});
