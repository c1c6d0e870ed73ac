import { Entity, Index, PrimaryColumn } from 'typeorm';

/** A tool of an MCP server that an assistant may use, as long as it is allowed. */
@Entity('assistant_mcp_tools')
@Index('assistant_mcp_tools_tool_id_idx', ['toolId'])
export class AssistantMcpTool {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'assistant_mcp_tools_pkey' })
  declare assistantId: number;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'assistant_mcp_tools_pkey' })
  declare toolId: number;
}
