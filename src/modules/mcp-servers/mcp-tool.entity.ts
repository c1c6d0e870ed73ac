import { Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';

/** A tool of an MCP server, as it was listed the last time. Assistants use it only in the definition that was allowed. */
@Entity('mcp_tools')
@Unique('mcp_tools_server_id_name_key', ['serverId', 'name'])
@Index('mcp_tools_user_id_idx', ['userId'])
export class McpToolRow extends OwnedRowWithTimestamps {
  @IdColumn('mcp_tools_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare serverId: number;

  /** As the server calls it. */
  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare description: string;

  @Column({ type: 'jsonb' })
  declare inputSchema: Readonly<Record<string, unknown>>;

  /** Of all that a model is shown. */
  @Column({ type: 'text' })
  declare definitionHash: string;

  /** The definition that the owner has allowed; another one is not allowed. */
  @Column({ type: 'text', nullable: true })
  declare allowedHash: string | null;

  /** Whether the server still offers it. */
  @Column({ type: 'boolean', default: true })
  declare isListed: boolean;
}
