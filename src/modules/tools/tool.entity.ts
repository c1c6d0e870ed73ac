import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';

export const TOOL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const BODY_FORMATS = ['json', 'form'] as const;
export const PARAMETER_TYPES = ['string', 'number', 'boolean'] as const;

export interface ToolParameter {
  readonly name: string;
  readonly type: (typeof PARAMETER_TYPES)[number];
  readonly description: string;
  readonly required: boolean;
}

export interface StaticField {
  readonly key: string;
  readonly value: string;
}

/** An HTTP endpoint an assistant may call in mid-conversation. */
@Entity('tools')
@Index('tools_user_id_idx', ['userId', 'id'])
@Check('tools_timeout_range', 'timeout_seconds BETWEEN 1 AND 30')
export class Tool extends OwnedRowWithTimestamps {
  @IdColumn('tools_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare description: string;

  @Column({ type: 'text', default: 'http' })
  declare type: 'http' | 'automation';

  @Column({ type: 'text' })
  declare endpoint: string;

  @Column({ type: 'text' })
  declare method: (typeof TOOL_METHODS)[number];

  @Column({ type: 'text', default: 'json' })
  declare bodyFormat: (typeof BODY_FORMATS)[number];

  @Column({ type: 'smallint', default: 10 })
  declare timeoutSeconds: number;

  /** JSON of the headers, sealed: they carry the tenant's credentials. Empty without headers. */
  @Column({ type: 'text' })
  declare sealedHeaders: string;

  @Column({ type: 'jsonb', default: () => "'[]'" })
  declare staticFields: StaticField[];

  @Column({ type: 'jsonb', default: () => "'[]'" })
  declare schema: ToolParameter[];
}
