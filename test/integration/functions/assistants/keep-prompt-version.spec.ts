import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('keep_prompt_version', () => {
  let userId: number;

  beforeEach(async () => {
    userId = await build.account();
    await database.fix('random', 'double precision', '0.5');
  });

  const promptsOf = async (assistantId: number) => {
    const rows = await database.rows<{ prompt: string }>(
      'SELECT system_prompt AS prompt FROM assistant_prompts WHERE assistant_id = $1 AND user_id = $2 ORDER BY id',
      assistantId,
      userId,
    );
    return rows.map(({ prompt }) => prompt);
  };
  const setConfig = (assistantId: number, config: Values) =>
    database.rows('UPDATE assistants SET config = $2 WHERE id = $1', assistantId, config);

  it('keeps the prompt of a new assistant', async () => {
    const id = await build.assistant(userId, { system_prompt: 'A' });
    expect(await promptsOf(id)).toEqual(['A']);
  });

  it('keeps nothing of an assistant without a prompt', async () => {
    expect(await promptsOf(await build.assistant(userId, { initial_message: 'Olá' }))).toEqual([]);
  });

  it('keeps a prompt that has changed, and no other change', async () => {
    const id = await build.assistant(userId, { system_prompt: 'A' });
    await setConfig(id, { system_prompt: 'A', initial_message: 'Olá' });
    await database.rows("UPDATE assistants SET name = 'B' WHERE id = $1", id);
    expect(await promptsOf(id)).toEqual(['A']);
    await setConfig(id, { system_prompt: 'B' });
    expect(await promptsOf(id)).toEqual(['A', 'B']);
  });

  it('keeps the first prompt of an assistant that had none', async () => {
    const id = await build.assistant(userId, {});
    await setConfig(id, { system_prompt: 'A' });
    expect(await promptsOf(id)).toEqual(['A']);
  });

  describe('with more than 50 prompts', () => {
    const addAssistant = async (prompts: number) => {
      const id = await build.assistant(userId, { system_prompt: 'first' });
      await database.rows(
        `INSERT INTO assistant_prompts (user_id, assistant_id, system_prompt)
         SELECT $1, $2, n::text FROM generate_series(2, $3::integer) AS n`,
        userId,
        id,
        prompts,
      );
      return id;
    };

    it.each([
      { random: '0.0999', kept: 50 },
      { random: '0.1', kept: 52 },
      { random: '0.5', kept: 52 },
    ])('keeps $kept after a change at the random number $random', async ({ random, kept }) => {
      const other = await addAssistant(60);
      const id = await addAssistant(51);
      await database.fix('random', 'double precision', random);
      await setConfig(id, { system_prompt: 'last' });
      const prompts = await promptsOf(id);
      expect(prompts).toHaveLength(kept);
      expect(prompts.at(-1)).toBe('last');
      expect(prompts.at(-2)).toBe('51');
      expect(await promptsOf(other)).toHaveLength(60);
    });

    it('deletes none of exactly 50', async () => {
      const id = await addAssistant(49);
      await database.fix('random', 'double precision', '0');
      await setConfig(id, { system_prompt: 'last' });
      expect(await promptsOf(id)).toHaveLength(50);
    });
  });
});
