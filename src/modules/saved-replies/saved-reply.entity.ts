import { Column, Entity, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';

/** A text that people of the account send to customers again and again. */
@Entity('saved_replies')
@Unique('saved_replies_user_id_shortcut_key', ['userId', 'shortcut'])
export class SavedReply extends OwnedRowWithTimestamps {
  @IdColumn('saved_replies_pkey')
  declare id: number;

  /** In lowercase, so that it is unique in any case. */
  @Column({ type: 'text' })
  declare shortcut: string;

  @Column({ type: 'text' })
  declare text: string;
}
