import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CallCarriers } from '../../src/providers/telephony/call-carriers.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createSipTrunk } from '../support/builders.js';

const PATH = '/api/user/phone-numbers/verifications';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Without a worker no number is called, and all verifications wait. */
describe('Number verifications', () => {
  let app: TestApp;
  let owner: TestAccount;
  let numbers = 0;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 1 });
  });
  afterAll(() => app.stop());

  const fresh = () => `+5511988${String(++numbers).padStart(4, '0')}00`;
  const ask = (who: TestAccount, body: object) => app.as(who).post(PATH).send(body);
  const idle = () => app.query("UPDATE number_verifications SET status = 'cancelled', ended_at = now()");

  it.each([
    ['post', ''],
    ['get', ''],
    ['get', '/1'],
    ['post', '/1/confirm'],
    ['delete', '/1'],
  ] as const)('%s %s answers 401 {message} without a token', async (method, path) => {
    const { body } = await app.http[method](`${PATH}${path}`).expect(401);
    expect(body).toEqual({ message: 'Não autorizado' });
  });

  it('answers 201 {message, data}, lists and reads the same', async () => {
    const number = fresh();
    const { body } = await ask(owner, { phone_number: number }).expect(201);
    expect(body).toEqual({
      message: 'Vamos ligar para o número e dizer um código de seis dígitos',
      data: {
        id: expect.any(Number),
        phone_number: number,
        caller_number: '+551130000000',
        language: 'pt',
        status: 'waiting',
        failure: null,
        tries_left: 5,
        sandbox_words: null,
        expires_at: expect.stringMatching(ISO),
        created_at: expect.stringMatching(ISO),
      },
    });
    expect((await app.as(owner).get(`${PATH}/${body.data.id}`).expect(200)).body).toEqual({
      data: body.data,
    });
    expect((await app.as(owner).get(PATH).expect(200)).body.data[0]).toEqual(body.data);
    const cancelled = await app.as(owner).delete(`${PATH}/${body.data.id}`).expect(200);
    expect(cancelled.body).toEqual({ message: 'Verificação cancelada com sucesso' });
    const [hold] = await app.query<{ state: string }>(
      "SELECT state FROM holds WHERE user_id = $1 AND reference LIKE 'verification:%'",
      [owner.userId],
    );
    expect(hold).toEqual({ state: 'voided' });
  });

  it.each([
    ['no number', { phone_number: 'abc' }, 400, 'Formato do número de telefone inválido'],
    ['an emergency number', { phone_number: '190' }, 400, 'Formato do número de telefone inválido'],
    ['a premium number', { phone_number: '+559009812345' }, 400, undefined],
    [
      'a number of another country',
      { phone_number: '+12125550123' },
      400,
      'Números deste país não podem ser verificados',
    ],
  ])('refuses to call %s', async (_what, body, status, error) => {
    const answer = await ask(owner, body).expect(status);
    expect(answer.body).toEqual({ error: error ?? expect.any(String) });
  });

  it.each([
    ['phone_number', {}],
    ['phone_number', { phone_number: 5 }],
    ['phone_number', { phone_number: '1'.repeat(65) }],
    ['language', { phone_number: '+5511988000000', language: 'xx' }],
    ['phone_number_id', { phone_number: '+5511988000000', phone_number_id: 'a' }],
    ['phone_number_id', { phone_number: '+5511988000000', phone_number_id: 1_999_999_999 }],
  ])('says what is wrong with %s: %j', async (field, sent) => {
    const { body } = await ask(owner, sent).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it.each(['', '12345', '1234567', '12345a', '１２３４５６', null, 123456])(
    'takes nothing but six digits for a code: %j',
    async (code) => {
      const { body } = await app.as(owner).post(`${PATH}/1/confirm`).send({ code }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['code']);
    },
  );

  it('takes no code before one was spoken', async () => {
    const { body } = await ask(owner, { phone_number: fresh() }).expect(201);
    await app.as(owner).post(`${PATH}/${body.data.id}/confirm`).send({ code: '000000' }).expect(409);
    await idle();
  });

  it('answers 402 without balance, and 422 for a number on the do-not-call list', async () => {
    const poor = await app.account();
    expect((await ask(poor, { phone_number: fresh() }).expect(402)).body).toEqual({
      error: expect.any(String),
    });
    const number = fresh();
    await app.as(owner).post('/api/user/do-not-call').send({ phone_number: number }).expect(201);
    expect((await ask(owner, { phone_number: number }).expect(422)).body).toEqual({
      error: 'O número está na lista “não ligar”',
    });
  });

  it('calls from a number that is rented from the installation, and from no trunk of the account', async () => {
    const who = await app.account({ balanceUsd: 20 });
    const trunk = await createSipTrunk(app, who, { phone_number: '+551130009999' });
    const refused = await ask(who, { phone_number: fresh(), phone_number_id: trunk }).expect(422);
    expect(refused.body.errors.phone_number_id).toEqual([
      'Escolha um número alugado desta instalação para fazer a ligação',
    ]);
    const offered = await app
      .as(who)
      .get('/api/user/phone-numbers/search')
      .query({ country_code: 'BR' })
      .expect(200);
    const number = offered.body.data[0].phone_number as string;
    const rented = await app
      .as(who)
      .post('/api/user/phone-numbers/purchase')
      .send({ phone_number: number })
      .expect(201);
    const { body } = await ask(who, {
      phone_number: fresh(),
      phone_number_id: rented.body.data.id,
      language: 'en',
    }).expect(201);
    expect(body.data).toMatchObject({ caller_number: number, language: 'en' });
    await idle();
  });

  it('refuses where others reach people and the way of the call is only the sandbox, which proves nothing', async () => {
    const carriers = app.app.get(CallCarriers, { strict: false });
    const proves = jest.spyOn(carriers, 'proves').mockReturnValue(false);
    const { body } = await ask(owner, { phone_number: fresh() }).expect(400);
    expect(body.error).toMatch(/não tem operadora própria/);
    proves.mockRestore();
  });
});
