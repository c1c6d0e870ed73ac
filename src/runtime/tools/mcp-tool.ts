import { errorOutcome, markedText, objectOutcome, type RuntimeTool, type ToolOutcome } from './tool.js';

/** What a tool of an MCP server has answered, as it came. */
export interface McpToolAnswer {
  readonly content: readonly unknown[];
  readonly structured: Readonly<Record<string, unknown>> | null;
  readonly isError: boolean;
}

/** A tool of an MCP server, in the definition that its owner has allowed. */
export interface McpTool {
  /** As the model calls it; unlike the name of any other tool. */
  readonly functionName: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** A sentence for the model where the server could not be asked. Never throws. */
  call(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<McpToolAnswer | { readonly problem: string }>;
}

/** Parts of an answer that are looked at. */
const MAX_PARTS = 50;

/** Makes a tool of an MCP server something an assistant can use. */
export function mcpTool(tool: McpTool): RuntimeTool {
  return {
    definition: { name: tool.functionName, description: tool.description, parameters: tool.inputSchema },
    async run(args, { signal }) {
      const answer = await tool.call(args, signal);
      return 'problem' in answer ? errorOutcome(answer.problem) : outcomeOf(answer);
    },
  };
}

function outcomeOf({ content, structured, isError }: McpToolAnswer): ToolOutcome {
  const parts = content.slice(0, MAX_PARTS).map(textOf);
  const text = markedText(parts.join('\n'), content.length > MAX_PARTS);
  if (isError) return errorOutcome(text === '' ? 'The tool failed.' : text);
  if (structured && text === '') return objectOutcome(structured);
  if (text === '') return objectOutcome({ ok: true });
  return { content: text, result: structured ?? { text } };
}

/** Words as they are; what a model cannot read is named. */
function textOf(part: unknown): string {
  const { type, text, resource, uri } = (part ?? {}) as Record<string, unknown>;
  if (typeof text === 'string') return text;
  if (typeof resource === 'object' && resource !== null) return textOf(resource);
  if (typeof uri === 'string') return uri.slice(0, 2048);
  return typeof type === 'string' ? `[${type.slice(0, 64)}]` : '';
}
