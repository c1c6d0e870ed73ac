import { createHash } from 'node:crypto';
import { storableText } from '../../common/text/storable-text.js';
import type { LeftOutTool } from './mcp-server.entity.js';

/** A tool's definition as it is stored and shown to models. */
export interface ToolDefinitionOfServer {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly definitionHash: string;
}

export const MAX_TOOLS = 200;
const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 2_048;
const MAX_SCHEMA_LENGTH = 16 * 1024;
const MAX_SCHEMA_DEPTH = 16;
/** Enough to see what is wrong with a server. */
const MAX_LEFT_OUT = 20;
/** What model servers take for the name of a function. */
const MAX_FUNCTION_NAME_LENGTH = 64;

/** Takes from a server's list what can be shown to a model; the rest is left out with the reason. */
export class ToolIntake {
  readonly tools: ToolDefinitionOfServer[] = [];
  readonly leftOut: LeftOutTool[] = [];
  private readonly functionNames = new Set<string>();

  constructor(private readonly serverName: string) {}

  get isFull(): boolean {
    return this.tools.length >= MAX_TOOLS;
  }

  take(listed: readonly unknown[]): void {
    for (const tool of listed) {
      const { name, description, inputSchema } = (tool ?? {}) as Record<string, unknown>;
      const reason = this.isFull ? 'too many tools' : this.add(name, description ?? '', inputSchema);
      if (reason !== null && this.leftOut.length < MAX_LEFT_OUT) {
        const shown = typeof name === 'string' ? storableText(name.slice(0, MAX_NAME_LENGTH)) : '';
        this.leftOut.push({ name: shown, reason });
      }
    }
  }

  /** The reason why it cannot be taken; null when it was. */
  private add(name: unknown, description: unknown, inputSchema: unknown): string | null {
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH)
      return 'no name, or too long a one';
    if (storableText(name) !== name) return 'characters that are not allowed';
    const functionName = functionNameOf(this.serverName, name);
    if (this.functionNames.has(functionName)) return 'another tool has this name';
    if (typeof description !== 'string') return 'the description is no text';
    const problem = schemaProblem(inputSchema);
    if (problem) return problem;
    this.functionNames.add(functionName);
    const definition = {
      name,
      description: storableText(description.slice(0, MAX_DESCRIPTION_LENGTH)),
      inputSchema: inputSchema as Record<string, unknown>,
    };
    this.tools.push({ ...definition, definitionHash: hashOf(definition) });
    return null;
  }
}

/**
 * How a model calls a tool of a server: `mcp-<server>-<tool>`. No HTTP tool and no built-in one has such a prefix,
 * and a server's name has no hyphen. No server can therefore take the place of another's tool.
 */
export function functionNameOf(serverName: string, toolName: string): string {
  const prefix = `mcp-${serverName}-`;
  const room = MAX_FUNCTION_NAME_LENGTH - prefix.length;
  if (/^[A-Za-z0-9_-]+$/.test(toolName) && toolName.length <= room) return prefix + toolName;
  const mark = createHash('sha256').update(toolName).digest('hex').slice(0, 8);
  return `${prefix}${toolName.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, room - mark.length - 1)}_${mark}`;
}

function schemaProblem(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return 'the schema is no object';
  if ((schema as { type?: unknown }).type !== 'object') return 'the schema is not of type object';
  if (depthOf(schema, 0) > MAX_SCHEMA_DEPTH) return 'the schema is nested too deeply';
  const json = JSON.stringify(schema);
  if (json.length > MAX_SCHEMA_LENGTH) return 'the schema is too large';
  if (/\\u0000|\\ud[89ab]/i.test(json) || storableText(json) !== json)
    return 'characters that are not allowed';
  // A model's server might fetch what a schema refers to.
  return /"\$(?:ref|dynamicRef|recursiveRef)":"(?!#)/.test(json)
    ? 'the schema refers to another document'
    : null;
}

/** Stops where it is deeper than allowed. */
function depthOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > MAX_SCHEMA_DEPTH) return depth;
  return Math.max(
    depth,
    ...Object.values(value)
      .slice(0, MAX_SCHEMA_LENGTH)
      .map((item) => depthOf(item, depth + 1)),
  );
}

function hashOf(definition: object): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(definition)))
    .digest('hex');
}

/** jsonb does not keep the order of keys, and none means anything. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
