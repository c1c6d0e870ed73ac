import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import { deleteOne, findLocked, nextId } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { Tool } from './tool.entity.js';

/** Without an id it gets the next one. */
export type NewTool = Omit<Tool, 'id' | 'type' | 'createdAt' | 'updatedAt'> & { readonly id: number | null };

export type ToolChanges = Partial<Omit<NewTool, 'id' | 'userId'>>;

@Injectable()
export class ToolsRepository {
  constructor(private readonly database: Database) {}

  listOf(userId: number): Promise<Tool[]> {
    return this.database.manager().find(Tool, { where: { userId }, order: { id: 'ASC' } });
  }

  async find(userId: number, id: number, tx?: Tx): Promise<Tool | null> {
    const [tool] = await this.database.readPrepared<Tool>(
      `SELECT ${this.database.columnsOf(Tool, 'tools')} FROM tools WHERE user_id = $1 AND id = $2`,
      [userId, id],
      tx,
    );
    return tool ?? null;
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<Tool | null> {
    return findLocked(this.database.manager(tx), Tool, { userId, id });
  }

  findMany(userId: number, ids: readonly number[], tx?: Tx): Promise<Tool[]> {
    return this.database.manager(tx).findBy(Tool, { userId, id: In([...ids]) });
  }

  /** Names of the tools by id; those that are another account's are left out. */
  async namesOf(userId: number, ids: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, string>> {
    const rows = await this.database.query<{ id: number; name: string }>(
      'SELECT id, name FROM tools WHERE user_id = $1 AND id = ANY ($2)',
      [userId, ids],
      tx,
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The tool's attachment to assistants: whether there is one, and one with another tool of that name. */
  async attachmentOf(
    id: number,
    name: string,
    tx: Tx,
  ): Promise<{ isAttached: boolean; isNameTaken: boolean }> {
    const [row] = await this.database.query<{ attached: boolean; taken: boolean }>(
      `SELECT EXISTS (SELECT FROM assistant_tools WHERE tool_id = $1) AS attached,
         EXISTS (
           SELECT FROM assistant_tools own
           JOIN assistant_tools other ON other.assistant_id = own.assistant_id AND other.tool_id <> own.tool_id
           JOIN tools tool ON tool.id = other.tool_id
           WHERE own.tool_id = $1 AND tool.name = $2
         ) AS taken`,
      [id, name],
      tx,
    );
    return { isAttached: row?.attached ?? false, isNameTaken: row?.taken ?? false };
  }

  /** Takes the next id before the row is written, because secrets are sealed to it. */
  nextId(tx: Tx): Promise<number> {
    return nextId(this.database, 'tools', tx);
  }

  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(Tool, { userId });
  }

  async add(tool: NewTool, tx: Tx): Promise<Tool> {
    const [added] = await this.database.writePrepared<Tool>(
      `INSERT INTO tools (id, user_id, name, description, endpoint, method, body_format, timeout_seconds, sealed_headers,
         static_fields, schema)
       VALUES (coalesce($1, nextval(pg_get_serial_sequence('tools', 'id'))::integer), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       RETURNING ${this.database.columnsOf(Tool, 'tools')}`,
      [tool.id, tool.userId, ...valuesOf(tool)],
      tx,
    );
    if (!added) throw new Error('an insert returned no row');
    return added;
  }

  /**
   * Writes the values that are given; null when the tool is not there.
   *
   * @param changes absent values stay as they are
   */
  async change(userId: number, id: number, changes: ToolChanges, tx?: Tx): Promise<Tool | null> {
    const [changed] = await this.database.writePrepared<Tool>(
      `UPDATE tools SET name = coalesce($3, name), description = coalesce($4, description),
         endpoint = coalesce($5, endpoint), method = coalesce($6, method), body_format = coalesce($7, body_format),
         timeout_seconds = coalesce($8, timeout_seconds), sealed_headers = coalesce($9, sealed_headers),
         static_fields = coalesce($10, static_fields), schema = coalesce($11, schema), updated_at = now()
       WHERE id = $1 AND user_id = $2
       RETURNING ${this.database.columnsOf(Tool, 'tools')}`,
      [id, userId, ...valuesOf(changes)],
      tx,
    );
    return changed ?? null;
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), Tool, { userId, id });
  }
}

function valuesOf(tool: ToolChanges): unknown[] {
  return [
    tool.name,
    tool.description,
    tool.endpoint,
    tool.method,
    tool.bodyFormat,
    tool.timeoutSeconds,
    tool.sealedHeaders,
    tool.staticFields && JSON.stringify(tool.staticFields),
    tool.schema && JSON.stringify(tool.schema),
  ];
}
