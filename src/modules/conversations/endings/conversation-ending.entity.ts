import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRowWithCreatedAt } from '../../../database/columns.js';

/** The end of a conversation that something is left to do for; then the row is deleted. A trigger writes it with the end. */
@Entity('conversation_endings')
@Index('conversation_endings_created_at_idx', ['createdAt'])
export class ConversationEnding extends OwnedRowWithCreatedAt {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'conversation_endings_pkey' })
  declare conversationId: string;

  /** Messages at the end: a conversation that is taken up again has more when it ends again. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'conversation_endings_pkey' })
  declare occurrence: number;

  @Column({ type: 'timestamptz' })
  declare endedAt: Date;

  /** The transcript goes so far. Null without messages. */
  @Column({ type: 'bigint', nullable: true })
  declare lastMessageId: string | null;

  /** As the assistant was set at the end; never a test, nor a conversation in which no customer has written. */
  @Column({ type: 'boolean' })
  declare isEvaluated: boolean;
}
