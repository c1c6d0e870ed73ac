import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';

export const KNOWLEDGEBASE_STATUSES = ['empty', 'processing', 'active', 'failed'] as const;
export type KnowledgebaseStatus = (typeof KNOWLEDGEBASE_STATUSES)[number];

/** A set of documents an assistant can consult. Its status follows its documents. */
@Entity('knowledgebases')
@Index('knowledgebases_user_id_idx', ['userId', 'id'])
@Check('knowledgebases_status_known', "status IN ('empty', 'processing', 'active', 'failed')")
export class Knowledgebase extends OwnedRowWithTimestamps {
  @IdColumn('knowledgebases_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text', default: '' })
  declare description: string;

  @Column({ type: 'text', default: 'empty' })
  declare status: KnowledgebaseStatus;

  /** Grows whenever the searchable content of the base changes, so that data derived from it is known to be stale. */
  @Column({ type: 'integer', default: 0 })
  declare revision: number;
}
