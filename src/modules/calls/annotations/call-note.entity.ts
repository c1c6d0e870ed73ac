import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../../database/columns.js';

/** What a person of the account has noted about a call. Deleted with the call, and erased with its person. */
@Entity('call_notes')
@Index('call_notes_call_id_idx', ['callId'])
@Index('call_notes_user_id_idx', ['userId'])
export class CallNote extends OwnedRowWithCreatedAt {
  @IdColumn('call_notes_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare callId: number;

  /** The member's name at the time; null for the owner and for API keys. */
  @Column({ type: 'text', nullable: true })
  declare authorName: string | null;

  @Column({ type: 'text' })
  declare text: string;
}
