import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const NO_ASSISTANT = { message: 'Assistente não encontrado' };
const NO_VERSION = { message: 'Versão do prompt não encontrada' };

describe('The prompts of an assistant', () => {
  let app: TestApp;
  let owner: TestAccount;
  let stranger: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    stranger = await app.account();
  });
  afterAll(() => app.stop());

  const make = async () => (await createAssistant(app, owner, { system_prompt: 'Versão 1' })).id;
  const change = (id: number, body: object) =>
    app.as(owner).put(`/api/user/assistant/${id}`).send(body).expect(200);
  /** To each version after the first, one after the other. */
  const changeUpTo = (version: number, id: number) =>
    app.query(
      `DO $$ BEGIN FOR n IN 2..${version} LOOP
         UPDATE assistants SET config = jsonb_set(config, '{system_prompt}', to_jsonb('Versão ' || n)) WHERE id = ${id};
       END LOOP; END $$`,
    );
  const list = async (id: number) =>
    (await app.as(owner).get(`/api/user/assistant/${id}/prompts`).expect(200)).body.data;
  const textsOf = async (id: number) =>
    (await list(id)).map(({ system_prompt: text }: { system_prompt: string }) => text);

  it('keeps each one that was in use, the newest first, and none for other changes', async () => {
    const id = await make();
    await change(id, { system_prompt: 'Versão 2' });
    await change(id, { name: 'Outro nome', system_prompt: 'Versão 2' });
    await change(id, { initial_message: 'Oi!', tool_ids: [] });
    await change(id, { system_prompt: 'Versão 3' });
    expect(await list(id)).toEqual(
      [3, 2, 1].map((version) => ({
        id: expect.any(Number),
        system_prompt: `Versão ${version}`,
        is_current: version === 3,
        created_at: expect.stringMatching(ISO),
      })),
    );
  });

  it('uses an earlier one again, as the newest version', async () => {
    const id = await make();
    await change(id, { system_prompt: 'Versão 2', name: 'Padaria' });
    const [, first] = await list(id);
    const { body } = await app
      .as(owner)
      .post(`/api/user/assistant/${id}/prompts/${first.id}/restore`)
      .expect(200);
    expect(body).toMatchObject({
      message: 'Assistente atualizado com sucesso',
      data: { id, name: 'Padaria' },
    });
    expect(await textsOf(id)).toEqual(['Versão 1', 'Versão 2', 'Versão 1']);
    const read = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(read.body).toMatchObject({ system_prompt: 'Versão 1', name: 'Padaria' });
  });

  it('keeps fifty, and forgets the oldest', async () => {
    const id = await make();
    await changeUpTo(60, id);
    const texts = await textsOf(id);
    expect(texts).toHaveLength(50);
    expect([texts[0], texts[49]]).toEqual(['Versão 60', 'Versão 11']);
  });

  it('forgets them in one change of ten, so that what is kept does not grow', async () => {
    const id = await make();
    await changeUpTo(400, id);
    const rows = await app.query('SELECT FROM assistant_prompts WHERE assistant_id = $1', [id]);
    // As many as 200 changes without one that deletes come once in a thousand million.
    expect(rows.length).toBeLessThan(250);
  });

  it('loses no version of changes that are made at the same time', async () => {
    const id = await make();
    const sent = Array.from({ length: 12 }, (_, n) => `Ao mesmo tempo ${n}`);
    await Promise.all(sent.map((prompt) => change(id, { system_prompt: prompt })));
    const texts = await textsOf(id);
    expect(texts.toSorted()).toEqual([...sent, 'Versão 1'].toSorted());
    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(texts[0]).toBe(body.system_prompt);
  });

  it('is gone with the assistant', async () => {
    const id = await make();
    await app.as(owner).delete(`/api/user/assistant/${id}`).expect(200);
    expect(await app.query('SELECT FROM assistant_prompts WHERE assistant_id = $1', [id])).toEqual([]);
    expect((await app.as(owner).get(`/api/user/assistant/${id}/prompts`).expect(404)).body).toEqual(
      NO_ASSISTANT,
    );
  });

  it('belongs to its assistant and account: any other is answered as missing', async () => {
    const id = await make();
    const other = await make();
    const [{ id: version }] = await list(other);
    const restore = (account: TestAccount, assistant: number, prompt: number | string) =>
      app.as(account).post(`/api/user/assistant/${assistant}/prompts/${prompt}/restore`).expect(404);
    expect((await restore(owner, id, version)).body).toEqual(NO_VERSION);
    expect((await restore(owner, id, 2_000_000_000)).body).toEqual(NO_VERSION);
    expect((await restore(stranger, other, version)).body).toEqual(NO_ASSISTANT);
    expect((await app.as(stranger).get(`/api/user/assistant/${id}/prompts`).expect(404)).body).toEqual(
      NO_ASSISTANT,
    );
    await app.http.get(`/api/user/assistant/${id}/prompts`).expect(401);
  });
});
