import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../../database/columns.js';
import type { Failure } from '../failure.js';
import type { UnreadPart } from '../unread.js';

export const DOCUMENT_TYPES = ['website', 'pdf', 'txt', 'docx'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DOCUMENT_STATUSES = ['processing', 'active', 'failed'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** What a user adds to a knowledge base: a website or a file. Its text is in the chunks of its version. */
@Entity('documents')
@Index('documents_knowledgebase_id_idx', ['knowledgebaseId', 'id'])
@Index('documents_user_id_idx', ['userId'])
@Index('documents_unfinished_idx', ['touchedAt'], { where: "status = 'processing'" })
@Index('documents_outdated_words_idx', { synchronize: false })
@Check('documents_type_known', "type IN ('website', 'pdf', 'txt', 'docx')")
@Check('documents_status_known', "status IN ('processing', 'active', 'failed')")
@Check('documents_progress_range', 'progress_percent BETWEEN 0 AND 100')
export class Document extends OwnedRowWithTimestamps {
  @IdColumn('documents_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare knowledgebaseId: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text', default: '' })
  declare description: string;

  @Column({ type: 'text' })
  declare type: DocumentType;

  @Column({ type: 'text', default: 'processing' })
  declare status: DocumentStatus;

  /** Which reading of the content this is; sources and chunks of another one are not found and go away. */
  @Column({ type: 'integer', default: 1 })
  declare version: number;

  @Column({ type: 'smallint', default: 0 })
  declare progressPercent: number;

  /** Why it failed. */
  @Column({ type: 'jsonb', nullable: true })
  declare failure: Failure | null;

  /** What of it could not be read, where the rest was. */
  @Column({ type: 'jsonb', nullable: true })
  declare unread: UnreadPart[] | null;

  /** Runs since the last step that got done. */
  @Column({ type: 'smallint', default: 0 })
  declare attempts: number;

  /** Websites: how many pages that the given ones link to are read as well. */
  @Column({ type: 'smallint', default: 0 })
  declare linksLimit: number;

  /** How much was read, and in which languages (text search configurations of PostgreSQL). */
  @Column({ type: 'integer', default: 0 })
  declare chunksCount: number;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  declare languages: string[];

  /** The reading whose words are indexed as this version does it. */
  @Column({ type: 'integer', nullable: true })
  declare wordsVersion: number | null;

  /** The space all its chunks have vectors in; null when some have none. */
  @Column({ type: 'text', nullable: true })
  declare embeddingSpace: string | null;

  /** Last sign of life of its ingestion. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare touchedAt: Date;
}
