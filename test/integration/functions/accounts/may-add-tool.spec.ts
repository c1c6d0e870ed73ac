import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('may_add_tool', () => {
  let userId: number;
  let otherId: number;

  beforeEach(async () => {
    userId = await build.account();
    otherId = await build.account();
  });

  const setLimit = async (tools: number, ofUser = userId) => {
    const plan = await build.id('plans', {
      code: `plan-${ofUser}`,
      name: 'Plan',
      max_tools: tools,
      max_api_keys: 1,
      max_campaigns: 1,
      max_calls_in_parallel: 1,
      max_knowledgebases: 1,
    });
    await database.rows('UPDATE users SET plan_id = $2 WHERE id = $1', ofUser, plan);
  };
  /** Tools with ids of their own, which leave the sequence as it is. */
  const addTools = (count: number, ofUser = userId) =>
    database.rows(
      `INSERT INTO tools (id, user_id, name, description, endpoint, method, sealed_headers)
       SELECT $1::integer * 100000 + n, $1, 'tool', 'Tool', 'https://example.com/', 'GET', ''
       FROM generate_series(1, $2::integer) AS n`,
      ofUser,
      count,
    );
  const mayAdd = () => database.value('SELECT may_add_tool($1)', userId);

  it.each([
    { tools: 0, limit: 0, isAllowed: false },
    { tools: 0, limit: 1, isAllowed: true },
    { tools: 1, limit: 1, isAllowed: false },
    { tools: 1, limit: 2, isAllowed: true },
    { tools: 3, limit: 2, isAllowed: false },
  ])(
    'allows a tool more than $tools with a limit of $limit: $isAllowed',
    async ({ tools, limit, isAllowed }) => {
      await setLimit(limit);
      await setLimit(2, otherId);
      await addTools(tools);
      await addTools(2, otherId);
      expect(await mayAdd()).toBe(isAllowed);
    },
  );

  it.each([
    { limit: 10_001, isCounted: true },
    { limit: 10_002, isCounted: false },
  ])(
    'counts tools under a limit of $limit when the highest id is 1: $isCounted',
    async ({ limit, isCounted }) => {
      await database.rows("SELECT setval('tools_id_seq', 1)");
      await setLimit(limit);
      await addTools(limit);
      expect(await mayAdd()).toBe(!isCounted);
    },
  );
});
