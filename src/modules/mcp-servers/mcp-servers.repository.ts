import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation } from '../../database/database.js';
import { deleteOne, findLocked, nextId } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import type { McpError } from '../../providers/mcp/mcp-error.js';
import { type LeftOutTool, McpServer } from './mcp-server.entity.js';

export type NewMcpServer = Pick<
  McpServer,
  'id' | 'userId' | 'name' | 'url' | 'sealedHeaders' | 'timeoutSeconds'
>;

export type McpServerChanges = Pick<
  McpServer,
  'name' | 'url' | 'sealedHeaders' | 'timeoutSeconds' | 'refreshedAt'
>;

@Injectable()
export class McpServersRepository {
  constructor(private readonly database: Database) {}

  /** @param limit as many as a plan allows at most */
  listOf(userId: number, limit: number): Promise<McpServer[]> {
    return this.database.manager().find(McpServer, { where: { userId }, order: { id: 'ASC' }, take: limit });
  }

  find(userId: number, id: number): Promise<McpServer | null> {
    return this.database.manager().findOneBy(McpServer, { userId, id });
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<McpServer | null> {
    return findLocked(this.database.manager(tx), McpServer, { userId, id });
  }

  count(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(McpServer, { userId });
  }

  /** Takes the next id before the row is written, because headers are sealed to it. */
  nextId(tx: Tx): Promise<number> {
    return nextId(this.database, 'mcp_servers', tx);
  }

  /** False when the account has another one of this name. */
  async insert(server: NewMcpServer, tx: Tx): Promise<boolean> {
    return this.unlessNameTaken(() => this.database.manager(tx).insert(McpServer, server));
  }

  /** False when the account has another one of this name. */
  async update(id: number, changes: McpServerChanges, tx: Tx): Promise<boolean> {
    return this.unlessNameTaken(() => this.database.manager(tx).update(McpServer, { id }, changes));
  }

  /** Keeps what became of a listing. What models see does not change by it, so neither does `updated_at`. */
  async keepListing(
    userId: number,
    id: number,
    listing: {
      readonly error: Pick<McpError, 'code' | 'message'> | null;
      readonly leftOut: readonly LeftOutTool[];
    },
    tx?: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE mcp_servers SET last_error = $3, last_error_code = $5,
         refreshed_at = CASE WHEN $3::text IS NULL THEN now() ELSE refreshed_at END,
         left_out = CASE WHEN $3::text IS NULL THEN $4::jsonb ELSE left_out END
       WHERE id = $2 AND user_id = $1`,
      [
        userId,
        id,
        listing.error?.message ?? null,
        JSON.stringify(listing.leftOut),
        listing.error?.code ?? null,
      ],
      tx,
    );
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), McpServer, { userId, id });
  }

  private async unlessNameTaken(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (isUniqueViolation(error, 'mcp_servers_user_id_name_key')) return false;
      throw error;
    }
  }
}
