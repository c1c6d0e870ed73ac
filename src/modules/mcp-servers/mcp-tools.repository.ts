import { Injectable } from '@nestjs/common';
import { Database, isForeignKeyViolation } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { McpServer } from './mcp-server.entity.js';
import { McpToolRow } from './mcp-tool.entity.js';
import type { ToolDefinitionOfServer } from './tool-definitions.js';

/** A tool with the name of its server, which is part of its own. */
export type NamedMcpTool = McpToolRow & { readonly serverName: string };

const TOOL_OF_SERVER = `FROM mcp_tools tool JOIN mcp_servers server ON server.id = tool.server_id`;

@Injectable()
export class McpToolsRepository {
  constructor(private readonly database: Database) {}

  /** A listing holds at most 200, and what is gone stays only while it is allowed or attached. */
  listOf(userId: number, serverId: number): Promise<NamedMcpTool[]> {
    return this.named('tool.user_id = $1 AND tool.server_id = $2', [userId, serverId]);
  }

  async find(userId: number, serverId: number, id: number): Promise<NamedMcpTool | null> {
    const [tool] = await this.named('tool.user_id = $1 AND tool.server_id = $2 AND tool.id = $3', [
      userId,
      serverId,
      id,
    ]);
    return tool ?? null;
  }

  ofAssistant(userId: number, assistantId: number): Promise<NamedMcpTool[]> {
    return this.named(
      `tool.user_id = $1
       AND tool.id IN (SELECT link.tool_id FROM assistant_mcp_tools link WHERE link.assistant_id = $2)`,
      [userId, assistantId],
    );
  }

  /** The servers of an assistant's tools. */
  serversOfAssistant(userId: number, assistantId: number): Promise<McpServer[]> {
    return this.database.query<McpServer>(
      `SELECT ${this.database.columnsOf(McpServer, 'mcp_servers')} FROM mcp_servers
       WHERE user_id = $1 AND id IN (
         SELECT tool.server_id FROM assistant_mcp_tools link JOIN mcp_tools tool ON tool.id = link.tool_id
         WHERE link.assistant_id = $2)`,
      [userId, assistantId],
    );
  }

  /**
   * Writes a server's listing: adds, changes, and forgets what is gone, unless the owner has ever allowed it. A row that is as
   * it was is not touched.
   */
  async replace(
    userId: number,
    serverId: number,
    tools: readonly ToolDefinitionOfServer[],
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO mcp_tools AS tool (user_id, server_id, name, description, input_schema, definition_hash)
       SELECT $1, $2, listed.name, listed.description, listed."inputSchema", listed."definitionHash"
       FROM jsonb_to_recordset($3::jsonb)
         AS listed(name text, description text, "inputSchema" jsonb, "definitionHash" text)
       ON CONFLICT ON CONSTRAINT mcp_tools_server_id_name_key DO UPDATE
       SET description = excluded.description, input_schema = excluded.input_schema,
         definition_hash = excluded.definition_hash, is_listed = true, updated_at = now()
       WHERE tool.definition_hash <> excluded.definition_hash OR NOT tool.is_listed`,
      [userId, serverId, JSON.stringify(tools)],
      tx,
    );
    const names = tools.map(({ name }) => name);
    await this.database.query(
      `DELETE FROM mcp_tools WHERE server_id = $1 AND user_id = $2 AND allowed_hash IS NULL AND name <> ALL ($3)`,
      [serverId, userId, names],
      tx,
    );
    await this.database.query(
      `UPDATE mcp_tools SET is_listed = false, updated_at = now()
       WHERE server_id = $1 AND user_id = $2 AND is_listed AND name <> ALL ($3)`,
      [serverId, userId, names],
      tx,
    );
  }

  /** Allows the definition with that hash; false when the tool has another one by now. */
  allow(userId: number, id: number, definitionHash: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE mcp_tools SET allowed_hash = $3, updated_at = now()
       WHERE user_id = $1 AND id = $2 AND definition_hash = $3 AND is_listed RETURNING id`,
      [userId, id, definitionHash],
    );
  }

  async disallow(userId: number, id: number): Promise<void> {
    await this.database.query(
      'UPDATE mcp_tools SET allowed_hash = NULL, updated_at = now() WHERE user_id = $1 AND id = $2',
      [userId, id],
    );
  }

  async disallowAll(userId: number, serverId: number, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE mcp_tools SET allowed_hash = NULL, updated_at = now() WHERE user_id = $1 AND server_id = $2',
      [userId, serverId],
      tx,
    );
  }

  /** Gives an assistant these tools and no others; false when one is not the account's, or the assistant is gone. */
  async attach(userId: number, assistantId: number, toolIds: readonly number[], tx: Tx): Promise<boolean> {
    await this.database.query('DELETE FROM assistant_mcp_tools WHERE assistant_id = $1', [assistantId], tx);
    try {
      const rows = await this.database.query(
        `INSERT INTO assistant_mcp_tools (assistant_id, tool_id)
         SELECT $1, id FROM mcp_tools WHERE user_id = $2 AND id = ANY ($3) RETURNING tool_id`,
        [assistantId, userId, toolIds],
        tx,
      );
      return rows.length === toolIds.length;
    } catch (error) {
      if (isForeignKeyViolation(error, 'assistant_mcp_tools_assistant_id_fkey')) return false;
      throw error;
    }
  }

  async copy(fromAssistantId: number, toAssistantId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `INSERT INTO assistant_mcp_tools (assistant_id, tool_id)
       SELECT $2, tool_id FROM assistant_mcp_tools WHERE assistant_id = $1`,
      [fromAssistantId, toAssistantId],
      tx,
    );
  }

  private async named(where: string, parameters: readonly unknown[]): Promise<NamedMcpTool[]> {
    return this.database.query<NamedMcpTool>(
      `SELECT tool.id, tool.user_id AS "userId", tool.server_id AS "serverId", tool.name, tool.description,
         tool.input_schema AS "inputSchema", tool.definition_hash AS "definitionHash",
         tool.allowed_hash AS "allowedHash", tool.is_listed AS "isListed", tool.created_at AS "createdAt",
         tool.updated_at AS "updatedAt", server.name AS "serverName"
       ${TOOL_OF_SERVER} WHERE ${where} ORDER BY tool.id`,
      parameters,
    );
  }
}
