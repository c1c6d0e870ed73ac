import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRow } from '../../../database/columns.js';
import type { Failure } from '../failure.js';
import type { UnreadPart } from '../unread.js';

export type SourceState = 'pending' | 'done' | 'skipped' | 'failed';

/** One thing to read for a document: its file, or one page of a website. Its state makes an ingestion resumable. */
@Entity('document_sources')
@Index('document_sources_position_key', ['documentId', 'version', 'position'], { unique: true })
@Index('document_sources_url_key', { synchronize: false })
@Index('document_sources_canonical_key', { synchronize: false })
@Check('document_sources_page_or_file', '(url IS NULL) <> (file_key IS NULL)')
@Check('document_sources_state_known', "state IN ('pending', 'done', 'skipped', 'failed')")
export class DocumentSource extends OwnedRow {
  @IdColumn('document_sources_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare documentId: number;

  @Column({ type: 'integer' })
  declare version: number;

  /** Order of reading. */
  @Column({ type: 'integer' })
  declare position: number;

  /** Address of a page, normalised. */
  @Column({ type: 'text', nullable: true })
  declare url: string | null;

  /** Address under which the page knows itself, so that it is read once. */
  @Column({ type: 'text', nullable: true })
  declare canonicalUrl: string | null;

  /** Key of the file in the storage. */
  @Column({ type: 'text', nullable: true })
  declare fileKey: string | null;

  @Column({ type: 'text', default: '' })
  declare title: string;

  /** Named by the user, and not found by a link. */
  @Column({ type: 'boolean' })
  declare isGiven: boolean;

  @Column({ type: 'text', default: 'pending' })
  declare state: SourceState;

  @Column({ type: 'jsonb', nullable: true })
  declare failure: Failure | null;

  /** What of it could not be read, where the rest was. */
  @Column({ type: 'jsonb', nullable: true })
  declare unread: UnreadPart[] | null;
}
