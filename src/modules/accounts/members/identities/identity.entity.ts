import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '#src/database/columns.js';

/** A person as an identity provider knows them. */
@Entity('identities')
@Index('identities_issuer_subject_key', ['issuer', 'subject'], { unique: true })
@Index('identities_user_id_idx', ['userId'])
@Index('identities_member_id_idx', ['memberId'], { where: '(member_id IS NOT NULL)' })
export class Identity extends OwnedRowWithCreatedAt {
  @IdColumn('identities_pkey')
  declare id: number;

  /** Null for the owner of the account. */
  @Column({ type: 'integer', nullable: true })
  declare memberId: number | null;

  @Column({ type: 'text' })
  declare issuer: string;

  @Column({ type: 'text' })
  declare subject: string;
}
