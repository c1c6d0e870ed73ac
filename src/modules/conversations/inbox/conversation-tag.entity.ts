import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tag of a conversation. Deleted with the conversation, and erased with its person. */
@Entity('conversation_tags')
@Index('conversation_tags_tag_idx', ['userId', 'tag', 'conversationId'])
export class ConversationTag {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'conversation_tags_pkey' })
  declare conversationId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'conversation_tags_pkey' })
  declare tag: string;

  @Column({ type: 'integer' })
  declare userId: number;
}
