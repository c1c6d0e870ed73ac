import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { LostCommits } from '../support/lost-commits.js';

const PATH = '/api/user/do-not-call';

describe('the do-not-call list', () => {
  let app: TestApp;
  let owner: TestAccount;
  let stranger: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    stranger = await app.account();
  }, 60_000);
  afterAll(() => app.stop());

  const add = (account: TestAccount, body: object) => app.as(account).post(PATH).send(body);

  describe('POST', () => {
    it('answers {message, data} with the number in E.164', async () => {
      const { body } = await add(owner, { phone_number: '(11) 98765-4321', reason: 'Pediu' }).expect(201);
      expect(body).toEqual({
        message: 'Número adicionado à lista de não perturbe',
        data: {
          id: expect.any(Number),
          phone_number: '+5511987654321',
          reason: 'Pediu',
          created_at: expect.stringMatching(/Z$/),
        },
      });
    });

    it('keeps one entry for a number that is added again', async () => {
      const first = await add(owner, { phone_number: '+5511987654322', reason: 'Pediu' }).expect(201);
      const again = await add(owner, { phone_number: '+5511987654322' }).expect(201);
      expect(again.body.data).toEqual(first.body.data);
    });

    it('adds a number once when the answer of its commit is lost', async () => {
      const lost = await LostCommits.start();
      try {
        await lost.expectOneEffect('addDoNotCall', await lost.app.account(), {
          path: PATH,
          body: { phone_number: '+5511987654323' },
          table: 'do_not_call_entries',
        });
      } finally {
        await lost.stop();
      }
    }, 60_000);

    it.each([{}, { phone_number: 'abc' }, { phone_number: 5 }])(
      'answers 422 {message, errors} for %j',
      async (sent) => {
        const { body } = await add(owner, sent).expect(422);
        expect(body.errors).toEqual({ phone_number: [expect.any(String)] });
      },
    );
  });

  describe('GET', () => {
    it('answers a page of the caller’s own numbers, newest first', async () => {
      const account = await app.account();
      await add(account, { phone_number: '+5511987650001' });
      await add(account, { phone_number: '+5511987650002' });
      await add(stranger, { phone_number: '+5511987650003' });
      const { body } = await app.as(account).get(`${PATH}?per_page=1`).expect(200);
      expect(body).toMatchObject({ current_page: 1, per_page: 1, total: 2, last_page: 2 });
      expect(body.data.map(({ phone_number: number }: { phone_number: string }) => number)).toEqual([
        '+5511987650002',
      ]);
    });

    it('finds a number however it is written', async () => {
      const { body } = await app
        .as(owner)
        .get(`${PATH}?phone_number=${encodeURIComponent('11 98765-4321')}`)
        .expect(200);
      expect(body.total).toBe(1);
    });
  });

  describe('DELETE', () => {
    it('answers {message}, and 404 {message} for what is gone or another’s', async () => {
      const { body } = await add(owner, { phone_number: '+5511987654399' }).expect(201);
      const path = `${PATH}/${body.data.id}`;
      await app.as(stranger).delete(path).expect(404);
      expect((await app.as(owner).delete(path).expect(200)).body).toEqual({
        message: 'Número removido da lista de não perturbe',
      });
      expect((await app.as(owner).delete(path).expect(404)).body).toEqual({ message: expect.any(String) });
    });
  });
});
