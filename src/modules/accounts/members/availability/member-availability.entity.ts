import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRow } from '#src/database/columns.js';

/** Whether a person of an account takes calls. People who never said so have no row. */
@Entity('member_availabilities')
@Index('member_availabilities_user_id_idx', ['userId'])
@Index('member_availabilities_owner_key', ['userId'], { unique: true, where: '(member_id IS NULL)' })
@Index('member_availabilities_member_id_key', ['memberId'], {
  unique: true,
  where: '(member_id IS NOT NULL)',
})
export class MemberAvailability extends OwnedRow {
  @IdColumn('member_availabilities_pkey')
  declare id: number;

  /** Null for the owner of the account. */
  @Column({ type: 'integer', nullable: true })
  declare memberId: number | null;

  /** As the person said. It ends by itself when nothing renews `seenAt`. */
  @Column({ type: 'boolean' })
  declare isAvailable: boolean;

  /** When the person said so. */
  @Column({ type: 'timestamptz' })
  declare since: Date;

  /** When an event stream of the person was last open, as its process knew. */
  @Column({ type: 'timestamptz' })
  declare seenAt: Date;
}
