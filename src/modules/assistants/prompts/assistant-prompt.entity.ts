import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../../database/columns.js';

/** A prompt that an assistant has had, or has. Written by a trigger of `assistants`, which keeps the newest ones. */
@Entity('assistant_prompts')
@Index('assistant_prompts_assistant_id_idx', ['assistantId', 'id'])
@Index('assistant_prompts_user_id_idx', ['userId'])
export class AssistantPrompt extends OwnedRowWithCreatedAt {
  @IdColumn('assistant_prompts_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare assistantId: number;

  @Column({ type: 'text' })
  declare systemPrompt: string;
}
