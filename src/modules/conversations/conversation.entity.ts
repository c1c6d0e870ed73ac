import { Column, CreateDateColumn, Entity, Generated, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { bigintAsNumber, OwnedRow } from '../../database/columns.js';
import type { Evaluation } from '../../runtime/call/evaluation/evaluation.js';
import type { MessageAuthor } from './message.entity.js';

export const CONVERSATION_TYPES = ['widget', 'test'] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];

/** A chat with an assistant. Its id is the capability to take part in it. */
@Entity('conversations')
@Index('conversations_user_id_created_at_idx', ['userId', 'createdAt', 'id'])
@Index('conversations_assistant_id_created_at_idx', ['assistantId', 'createdAt', 'id'])
@Index('conversations_idle_idx', ['idleAt'], { where: '(ended_at IS NULL)' })
@Index('conversations_activity_idx', ['userId', 'lastMessageAt', 'id'], {
  where: '(last_message_at IS NOT NULL)',
})
@Index('conversations_open_idx', ['userId', 'lastMessageAt', 'id'], {
  where: '((last_message_at IS NOT NULL) AND (ended_at IS NULL))',
})
@Index('conversations_human_idx', ['userId', 'lastMessageAt', 'id'], {
  where: '((last_message_at IS NOT NULL) AND (ended_at IS NULL) AND (NOT ai_enabled))',
})
@Index('conversations_waiting_idx', ['userId', 'lastMessageAt', 'id'], {
  where: '((last_message_at IS NOT NULL) AND (waiting_since IS NOT NULL))',
})
@Index('conversations_unread_idx', ['userId', 'lastMessageAt', 'id'], {
  where: '((last_message_at IS NOT NULL) AND (unread_count > 0))',
})
// Of expressions, which only the migration can write.
@Index('conversations_customer_phone_idx', { synchronize: false })
@Index('conversations_external_identifier_idx', { synchronize: false })
@Index('conversations_assignee_idx', ['assigneeId', 'lastMessageAt', 'id'], {
  where: '(assignee_id IS NOT NULL)',
})
@Index('conversations_assigned_to_owner_idx', ['userId', 'lastMessageAt', 'id'], {
  where: 'assigned_to_owner',
})
@Index('conversations_ended_idx', ['userId', 'endedAt'], { where: '(ended_at IS NOT NULL)' })
@Index('conversations_unused_idx', ['endedAt'], {
  where: "((type = 'widget'::text) AND (message_count <= 1) AND (ended_at IS NOT NULL))",
})
export class Conversation extends OwnedRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'conversations_pkey' })
  declare id: string;

  /** The integer by which webhooks name it. */
  @Column({ type: 'integer' })
  @Generated('increment')
  declare number: number;

  /** Null once the assistant is deleted. */
  @Column({ type: 'integer', nullable: true })
  declare assistantId: number | null;

  /** The assistant that it was handed over to, which may be gone since; null while its own one has it. */
  @Column({ type: 'integer', nullable: true })
  declare speakerId: number | null;

  /** How often it was handed over. */
  @Column({ type: 'smallint', default: 0 })
  declare handoffs: number;

  @Column({ type: 'text' })
  declare type: ConversationType;

  /** A visitor opened it, who may have set its variables. */
  @Column({ type: 'boolean', default: false })
  declare byVisitor: boolean;

  /** Names of the variables that a lookup of the caller has given. Null where it has given none. */
  @Column({ type: 'jsonb', nullable: true })
  declare lookupVariables: readonly string[] | null;

  @Column({ type: 'boolean', default: true })
  declare aiEnabled: boolean;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare variables: Record<string, unknown>;

  @Column({ type: 'integer', default: 0 })
  declare messageCount: number;

  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare totalCostMicros: number;

  /** Tokens that models reported for its turns; each null while none has. */
  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare inputTokens: number | null;

  /** Of the input, those that providers had kept. */
  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare cachedInputTokens: number | null;

  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare outputTokens: number | null;

  /** What the evaluation at its end has found; empty before, and where it is not evaluated. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  declare extractedVariables: Evaluation;

  @Column({ type: 'timestamptz', nullable: true })
  declare endedAt: Date | null;

  /** When it ends without another message; moved on by each message. */
  @Column({ type: 'timestamptz', nullable: true })
  declare idleAt: Date | null;

  /** How the last message begins. */
  @Column({ type: 'text', nullable: true })
  declare lastMessage: string | null;

  @Column({ type: 'text', nullable: true })
  declare lastAuthor: MessageAuthor | null;

  /** To the millisecond, as `createdAt`; null until the customer writes, because lists omit a greeting alone. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  declare lastMessageAt: Date | null;

  /** Messages of the customer that no person of the tenant has read; test conversations have none. */
  @Column({ type: 'integer', default: 0 })
  declare unreadCount: number;

  /**
   * Since when the customer waits for a person; null when the AI answers, or a person has answered. A trigger makes
   * it null while the conversation is over.
   */
  @Column({ type: 'timestamptz', nullable: true })
  declare waitingSince: Date | null;

  /** Since when a person has the conversation. */
  @Column({ type: 'timestamptz', nullable: true })
  declare takenOverAt: Date | null;

  /** The member who is to take care of it; null once the member is removed. */
  @Column({ type: 'integer', nullable: true })
  declare assigneeId: number | null;

  /** The owner of the account is to take care of it. */
  @Column({ type: 'boolean', default: false })
  declare assignedToOwner: boolean;

  /** What reopening restores, from the last time that a person closed it. */
  @Column({ type: 'jsonb', nullable: true })
  declare beforeClose: object | null;

  /** Who answers now: a turn has the conversation to itself while its lease lives. */
  @Column({ type: 'uuid', nullable: true })
  declare turnToken: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare turnExpiresAt: Date | null;

  /** To the millisecond, which is what a cursor of the list can hold. */
  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  declare createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
