import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

/** A passage of a document, as it is found and shown to a model. */
@Entity('document_chunks')
@Index('document_chunks_position_key', ['sourceId', 'position'], { unique: true })
@Index('document_chunks_knowledgebase_id_idx', ['knowledgebaseId', 'id'])
@Index('document_chunks_document_id_idx', ['documentId', 'id'])
@Index('document_chunks_search_idx', { synchronize: false })
@Check('document_chunks_space_with_embedding', '(embedding IS NULL) = (embedding_space IS NULL)')
export class DocumentChunk extends OwnedRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'document_chunks_pkey',
  })
  declare id: string;

  @Column({ type: 'integer' })
  declare knowledgebaseId: number;

  @Column({ type: 'integer' })
  declare documentId: number;

  @Column({ type: 'integer' })
  declare sourceId: number;

  @Column({ type: 'integer' })
  declare version: number;

  @Column({ type: 'integer' })
  declare position: number;

  /** Title and headings above the passage. */
  @Column({ type: 'text' })
  declare heading: string;

  @Column({ type: 'text' })
  declare content: string;

  /** Page of a PDF on which the passage begins, 1-based. */
  @Column({ type: 'integer', nullable: true })
  declare page: number | null;

  /** Size of heading and content. */
  @Column({ type: 'integer' })
  declare tokens: number;

  /** Text search configuration of PostgreSQL. */
  @Column({ type: 'text' })
  declare language: string;

  /** Stemmed words of heading (weight A) and content (weight B), accents folded, each after the base's id. */
  @Column({ type: 'tsvector', select: false })
  declare search: string;

  /** Of unit length. */
  @Column({ type: 'real', array: true, nullable: true, select: false })
  declare embedding: number[] | null;

  /** Model and number of dimensions; vectors of different spaces cannot be compared. */
  @Column({ type: 'text', nullable: true })
  declare embeddingSpace: string | null;
}
