import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('assistant_version', () => {
  let userId: number;
  let assistantId: number;

  beforeEach(async () => {
    userId = await build.account();
    assistantId = await build.assistant(userId, {}, { revision: 7 });
  });

  const version = (id = assistantId, ofUser = userId) =>
    database.value<string | null>('SELECT assistant_version($1, $2)', ofUser, id);
  /** The version before and after a change. */
  const around = async (change: () => Promise<unknown>) => {
    const before = await version();
    await change();
    return { before, after: await version() };
  };
  const expectChange = async (change: () => Promise<unknown>) => {
    const { before, after } = await around(change);
    expect(after).not.toBeNull();
    expect(after).not.toBe(before);
  };
  const expectNoChange = async (change: () => Promise<unknown>) => {
    const { before, after } = await around(change);
    expect(after).not.toBeNull();
    expect(after).toBe(before);
  };
  const LATER = "updated_at = updated_at + interval '1 second'";
  const update = (table: string, set: string, id: number) =>
    database.rows(`UPDATE ${table} SET ${set} WHERE id = $1`, id);

  it('is the revision alone without a number, a knowledge base and tools', async () => {
    expect(await version()).toBe('7');
  });

  it("is null for an assistant that does not exist, and for another account's", async () => {
    expect(await version(assistantId + 1)).toBeNull();
    expect(await version(assistantId, await build.account())).toBeNull();
  });

  it('changes with the revision and with the number', async () => {
    const number = await build.id('phone_numbers', {
      user_id: userId,
      phone_number: '+551140000000',
      country_code: 'BR',
      type: 'normal',
    });
    await expectChange(() => update('assistants', 'revision = 8', assistantId));
    await expectChange(() => update('assistants', `phone_number_id = ${number}`, assistantId));
    expect(await version()).toBe(`8/${number}`);
  });

  it('changes with its knowledge base, and not with another one', async () => {
    const base = await build.id('knowledgebases', { user_id: userId });
    const other = await build.id('knowledgebases', { user_id: userId });
    await expectChange(() => update('assistants', `knowledgebase_id = ${base}`, assistantId));
    await expectChange(() => update('knowledgebases', LATER, base));
    await expectChange(() => update('knowledgebases', "status = 'active'", base));
    await expectNoChange(() => update('knowledgebases', LATER, other));
    await expectChange(() => update('assistants', `knowledgebase_id = ${other}`, assistantId));
  });

  it('changes with its tools and their order, and not with other tools', async () => {
    const [first, second, other] = [
      await build.id('tools', { user_id: userId }),
      await build.id('tools', { user_id: userId }),
      await build.id('tools', { user_id: userId }),
    ];
    const another = await build.assistant(userId);
    const attach = (tool: number, position: number, to = assistantId) =>
      database.insert('assistant_tools', { assistant_id: to, tool_id: tool, position });
    await expectNoChange(() => attach(other, 0, another));
    await expectChange(() => attach(second, 0));
    await expectChange(() => attach(first, 1));
    expect(await version()).toMatch(new RegExp(`^7/tool${second}@[0-9.]+,tool${first}@[0-9.]+$`));
    await expectChange(() => update('tools', LATER, first));
    await expectNoChange(() => update('tools', LATER, other));
    await expectChange(() =>
      database.rows('UPDATE assistant_tools SET position = 2 WHERE tool_id = $1', second),
    );
  });

  it('changes with tools of MCP servers and with their servers, and not with others', async () => {
    const server = await build.id('mcp_servers', { user_id: userId });
    const otherServer = await build.id('mcp_servers', { user_id: userId });
    const addTool = (serverId: number) => build.id('mcp_tools', { user_id: userId, server_id: serverId });
    const [first, second, other] = [await addTool(server), await addTool(server), await addTool(otherServer)];
    const another = await build.assistant(userId);
    const attach = (tool: number, to = assistantId) =>
      database.insert('assistant_mcp_tools', { assistant_id: to, tool_id: tool });
    await expectNoChange(() => attach(other, another));
    await expectChange(() => attach(second));
    await expectChange(() => attach(first));
    expect(await version()).toMatch(new RegExp(`^7/mcp${first}@[0-9.]+,mcp${second}@[0-9.]+$`));
    await expectChange(() => update('mcp_tools', LATER, first));
    await expectNoChange(() => update('mcp_tools', LATER, other));
    await expectChange(() => update('mcp_servers', "updated_at = updated_at + interval '9 seconds'", server));
    await expectNoChange(() => update('mcp_servers', LATER, otherServer));
    await expectNoChange(() => update('mcp_tools', LATER, second));
  });

  it('has its tools when no other assistant of the installation has any', async () => {
    const tool = await build.id('tools', { user_id: userId });
    const server = await build.id('mcp_servers', { user_id: userId });
    const mcpTool = await build.id('mcp_tools', { user_id: userId, server_id: server });
    await database.insert('assistant_tools', { assistant_id: assistantId, tool_id: tool, position: 0 });
    await database.insert('assistant_mcp_tools', { assistant_id: assistantId, tool_id: mcpTool });
    expect(await version()).toMatch(new RegExp(`^7/tool${tool}@[0-9.]+/mcp${mcpTool}@[0-9.]+$`));
  });
});
