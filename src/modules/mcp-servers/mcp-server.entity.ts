import { Check, Column, Entity, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';
import type { McpErrorCode } from '../../providers/mcp/mcp-error.js';

/** A tool that a server offers and that is not taken, with the reason. */
export interface LeftOutTool {
  readonly name: string;
  readonly reason: string;
}

/** A server of tools that speaks the Model Context Protocol. */
@Entity('mcp_servers')
@Unique('mcp_servers_user_id_name_key', ['userId', 'name'])
@Check('mcp_servers_timeout_range', 'timeout_seconds BETWEEN 1 AND 30')
@Check(
  'mcp_servers_last_error_code_known',
  "last_error_code IN ('unreachable', 'timeout', 'protocol', 'refused', 'aborted')",
)
export class McpServer extends OwnedRowWithTimestamps {
  @IdColumn('mcp_servers_pkey')
  declare id: number;

  /** Part of the names by which models call its tools. */
  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare url: string;

  /** JSON of the headers, sealed: they carry the tenant's credentials. Empty without headers. */
  @Column({ type: 'text' })
  declare sealedHeaders: string;

  @Column({ type: 'smallint', default: 10 })
  declare timeoutSeconds: number;

  /** When its tools were listed with success the last time. */
  @Column({ type: 'timestamptz', nullable: true })
  declare refreshedAt: Date | null;

  /** Why the last listing failed; null after a success. */
  @Column({ type: 'text', nullable: true })
  declare lastError: string | null;

  /** The kind of failure; null after a success, and where it happened before kinds were kept. */
  @Column({ type: 'text', nullable: true })
  declare lastErrorCode: McpErrorCode | null;

  @Column({ type: 'jsonb', default: () => "'[]'" })
  declare leftOut: LeftOutTool[];
}
