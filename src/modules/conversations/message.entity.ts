import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { bigintAsNumber, OwnedRowWithCreatedAt } from '../../database/columns.js';
import type { FunctionCall } from '../../runtime/chat-turn.js';

/** Of what people write, in characters. */
export const MAX_MESSAGE_LENGTH = 2_000;

export type MessageRole = 'user' | 'assistant';
/** `agent` is a person of the tenant who took over. */
export type MessageAuthor = 'customer' | 'ai' | 'agent';

@Entity('messages')
@Index('messages_conversation_id_id_idx', ['conversationId', 'id'])
export class Message extends OwnedRowWithCreatedAt {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'messages_pkey',
  })
  declare id: string;

  @Column({ type: 'uuid' })
  declare conversationId: string;

  @Column({ type: 'text' })
  declare role: MessageRole;

  @Column({ type: 'text' })
  declare author: MessageAuthor;

  @Column({ type: 'text' })
  declare content: string;

  @Column({ type: 'jsonb', nullable: true })
  declare functionCalls: readonly FunctionCall[] | null;

  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare costMicros: number;

  /** Of the turn that gave this answer; null for what no turn has said. */
  @Column({ type: 'uuid', nullable: true })
  declare turnToken: string | null;

  /** The member who has written, and the name at that time; null for the owner of the account, and for API keys. */
  @Column({ type: 'integer', nullable: true })
  declare memberId: number | null;

  @Column({ type: 'text', nullable: true })
  declare memberName: string | null;

  /** Who gave this answer after a hand-over, and its name at that time; null for the conversation's own assistant. */
  @Column({ type: 'integer', nullable: true })
  declare assistantId: number | null;

  @Column({ type: 'text', nullable: true })
  declare assistantName: string | null;
}
