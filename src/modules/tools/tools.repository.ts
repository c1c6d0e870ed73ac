import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Tool } from './tool.entity.js';

export type NewTool = Omit<Tool, 'type' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class ToolsRepository {
  constructor(private readonly database: Database) {}

  listOf(userId: number): Promise<Tool[]> {
    return this.database.manager().find(Tool, { where: { userId }, order: { id: 'ASC' } });
  }

  find(userId: number, id: number, tx?: Tx): Promise<Tool | null> {
    return this.database.manager(tx).findOneBy(Tool, { userId, id });
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<Tool | null> {
    return this.database
      .manager(tx)
      .findOne(Tool, { where: { userId, id }, lock: { mode: 'pessimistic_write' } });
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

  /** How the tool stands with the assistants it is attached to: whether there is one, and one with another tool of that name. */
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

  countOf(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(Tool, { userId });
  }

  /** Takes the next id before the row is written, because secrets are sealed to it. */
  async nextId(tx: Tx): Promise<number> {
    const [row] = await this.database.query<{ id: string }>(
      "SELECT nextval(pg_get_serial_sequence('tools', 'id')) AS id",
      [],
      tx,
    );
    return Number(row?.id);
  }

  add(tool: NewTool, tx: Tx): Promise<Tool> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(Tool, tool));
  }

  save(tool: Tool, tx: Tx): Promise<Tool> {
    return this.database.manager(tx).save(tool);
  }

  async delete(userId: number, id: number): Promise<boolean> {
    const result = await this.database.manager().delete(Tool, { userId, id });
    return result.affected === 1;
  }
}
