import { Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

/** A tag of a conversation. Deleted with the conversation, and erased with its person. */
@Entity('conversation_tags')
@Index('conversation_tags_tag_idx', ['userId', 'tag', 'conversationId'])
export class ConversationTag extends OwnedRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'conversation_tags_pkey' })
  declare conversationId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'conversation_tags_pkey' })
  declare tag: string;
}
