import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export type KnowledgebaseStatus = 'empty' | 'processing' | 'active' | 'failed';

/** A set of documents an assistant can consult. Its status follows its documents. */
@Entity('knowledgebases')
@Index('knowledgebases_user_id_idx', ['userId', 'id'])
export class Knowledgebase {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'knowledgebases_pkey',
  })
  declare id: number;

  @Column({ type: 'integer' })
  declare userId: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text', default: '' })
  declare description: string;

  @Column({ type: 'text', default: 'empty' })
  declare status: KnowledgebaseStatus;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
