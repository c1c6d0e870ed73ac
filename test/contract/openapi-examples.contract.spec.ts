import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestBodyObject } from '@nestjs/swagger';
import { type TestAccount, TestApp } from '../support/app.js';
import { fillAccount, type Kind } from '../support/belongings.js';
import type { DocumentedRoute } from '../../src/contract/contract-check.js';

/** Operations whose example cannot work for everybody, and what it is answered with. */
const REFUSED: Readonly<Record<string, number>> = {
  // Credentials are each caller's own.
  register: 403,
  login: 401,
  beginBrowserSession: 401,
  changePassword: 422,
  deleteAccount: 422,
  acceptInvitation: 404,
  resetPassword: 404,
  beginSessionByLink: 404,
  confirmOidcLink: 404,
  // Needs a mail server.
  requestPasswordLink: 409,
  // Needs a public address.
  putTwilioAccount: 409,
  // Needs a model server that takes the key.
  putChatModelKey: 422,
  // Needs a key that its provider takes.
  putSpeechModelKey: 422,
  // The code was confirmed before.
  confirmNumberVerification: 409,
  // Needs credentials of a carrier.
  adoptPhoneNumber: 400,
  // Needs a link to a call.
  readSharedCall: 404,
  // Is about a person, and a key is none.
  updateAvailability: 403,
  // Needs a process with voice.
  openOwnWebCall: 503,
  openWebCall: 503,
};

/** "Try it out" of the documentation's page: what it sends without anything being typed. */
describe('the examples of requests', () => {
  let app: TestApp;
  let owner: TestAccount;
  let own: Record<Kind, number | string>;
  let routes: readonly DocumentedRoute[];

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 10 });
    own = await fillAccount(app, owner, 'mark');
    routes = app.contract.routes.filter(({ operation }) => exampleOf(operation) !== undefined);
  });
  afterAll(() => app.stop());

  const exampleOf = (operation: DocumentedRoute['operation']): object | undefined =>
    (operation.requestBody as RequestBodyObject | undefined)?.content['application/json']?.example as object;

  const pathOf = ({ path }: DocumentedRoute) =>
    path
      .replace('{provider}', 'openai')
      .replace('conversations/{uuid}', `conversations/${own.conversation}`)
      .replace('sip-trunks/{id}', `sip-trunks/${own.sipTrunk}`)
      .replace(/\{\w+\}/g, '1');

  it('are accepted as they stand', async () => {
    const wrong: object[] = [];
    for (const route of routes) {
      const { operation, method } = route;
      const id = operation.operationId ?? '';
      const body = JSON.stringify(exampleOf(operation)).replace(
        '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f',
        String(own.assistantUuid),
      );
      const send = app.as(owner)[method as 'post'];
      const answer = await send(pathOf(route)).set('Content-Type', 'application/json').send(body);
      const expected = REFUSED[id] ?? 'success';
      const found = answer.status < 300 ? 'success' : answer.status;
      if (found !== expected) wrong.push({ id, status: answer.status, answer: answer.body as object, body });
    }
    expect(wrong).toEqual([]);
    expect(routes.length).toBeGreaterThan(35);
  });
});
