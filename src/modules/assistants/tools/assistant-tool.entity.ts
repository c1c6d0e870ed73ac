import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A mid-call tool attached to an assistant. Deleting either ends it. */
@Entity('assistant_tools')
@Index('assistant_tools_tool_id_idx', ['toolId'])
export class AssistantTool {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'assistant_tools_pkey' })
  declare assistantId: number;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'assistant_tools_pkey' })
  declare toolId: number;

  /** Place in the list as it was given, from 1. */
  @Column({ type: 'smallint' })
  declare position: number;
}
