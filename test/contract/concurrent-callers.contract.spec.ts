import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app.js';

describe('callers at the same time', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('are each answered as themselves, and those without a token not at all', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => app.account()));
    const callers = Array.from({ length: 60 }, (_, index) => accounts[index % 6]);
    const answers = await Promise.all(
      callers.map((caller) => (caller ? app.as(caller).get('/api/user/me') : app.http.get('/api/user/me'))),
    );
    expect(answers.map(({ status, body }) => body.email ?? status)).toEqual(
      callers.map((caller) => caller?.email ?? 401),
    );
  });
});
