import { Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';

/** A number that an account never calls. */
@Entity('do_not_call_entries')
@Unique('do_not_call_entries_phone_number_key', ['userId', 'phoneNumber'])
@Index('do_not_call_entries_user_id_idx', ['userId', 'id'])
export class DoNotCallEntry extends OwnedRowWithCreatedAt {
  @IdColumn('do_not_call_entries_pkey')
  declare id: number;

  /** E.164. */
  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  declare reason: string | null;
}
