import { Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { IdColumn } from '../../../database/columns.js';

/** A prompt that an assistant has had, or has. Written by a trigger of `assistants`, which keeps the newest ones. */
@Entity('assistant_prompts')
@Index('assistant_prompts_assistant_id_idx', ['assistantId', 'id'])
@Index('assistant_prompts_user_id_idx', ['userId'])
export class AssistantPrompt {
  @IdColumn('assistant_prompts_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare userId: number;

  @Column({ type: 'integer' })
  declare assistantId: number;

  @Column({ type: 'text' })
  declare systemPrompt: string;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
