import type { Type } from '@nestjs/common';
import type { Channel } from '../assistant-snapshot.js';
import {
  type ToolArguments,
  checkArguments,
  parametersSchema,
  type ToolParameterSpec,
} from './tool-arguments.js';
import { objectOutcome, refusedArguments, type RuntimeTool, type ToolContext } from './tool.js';

/** Whose assistant uses the tool. A handler touches what belongs to this account, and nothing else. */
export interface ToolOwner {
  readonly userId: number;
  readonly assistantId: number;
  /** IANA name; the times that the model gives are in it. */
  readonly timezone: string;
}

/** A built-in tool as it is set up on an assistant: its type and the fields of its form. */
export interface ToolSettings {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Makes the functions that the model may call. Found in the module that brings the tool. */
export abstract class AssistantToolHandler {
  /**
   * Called once for each version of an assistant.
   *
   * @param settings as checked by the form of the tool
   * @returns functions whose names are among `names` of the definition
   */
  abstract tools(settings: ToolSettings, owner: ToolOwner): readonly RuntimeTool[];
}

/** A built-in tool that a module or a plugin adds to those of the product. */
export interface AssistantToolDefinition {
  /** The entry in `tools` of an assistant: the name of the module, a dot and a name, as `appointments.book`. */
  readonly type: `${string}.${string}`;
  /** Names of its functions, as the model sees them. Tools of accounts cannot take them. */
  readonly names: readonly [string, ...string[]];
  /** Where it can be used; everywhere when left out. */
  readonly channels?: readonly Channel[];
  /** Class of the settings; extends `AssistantToolForm`. */
  readonly form: Type;
  /** A provider of the module. */
  readonly handler: Type<AssistantToolHandler>;
}

interface AssistantTool {
  /** Lower-case letters, digits and underscores, 64 at most. */
  readonly name: string;
  /** Says to the model what it does and when to use it. */
  readonly description: string;
  readonly parameters: readonly ToolParameterSpec[];
  /**
   * What the model reads, as an object. A sentence that says what to do otherwise is given as `{ error: '…' }`.
   * Thrown errors are logged, and the model learns only that the tool failed.
   *
   * @param args checked: what is required is there, and of its type
   */
  readonly run: (args: ToolArguments, context: ToolContext) => Promise<Readonly<Record<string, unknown>>>;
}

/** A function for the model, whose arguments are checked before it runs. */
export function assistantTool({ name, description, parameters, run }: AssistantTool): RuntimeTool {
  return {
    definition: { name, description, parameters: parametersSchema(parameters) },
    run: async (given, context) => {
      const checked = checkArguments(parameters, given);
      return 'problem' in checked
        ? refusedArguments(checked.problem)
        : objectOutcome(await run(checked.args, context));
    },
  };
}

const definitions = new Map<string, AssistantToolDefinition>();
const names = new Set<string>();

/** Built-in tools that plugins add to the product's own ones, by type. */
export const addedTools: ReadonlyMap<string, AssistantToolDefinition> = definitions;
/** Names of their functions. */
export const addedToolNames: ReadonlySet<string> = names;

const TYPE = /^[a-z0-9-]{1,40}\.[a-z0-9_]{1,40}$/;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Adds a built-in tool, before the application is built.
 *
 * @param isTaken whether a function of the product has that name
 * @throws Error for a type or a name that is wrong, or there already
 */
export function addAssistantTool(tool: AssistantToolDefinition, isTaken: (name: string) => boolean): void {
  if (!TYPE.test(tool.type)) throw new Error(`the tool ${tool.type} is not named as name.tool`);
  if (definitions.has(tool.type)) throw new Error(`the tool ${tool.type} is there already`);
  for (const name of tool.names) {
    if (!NAME.test(name))
      throw new Error(`the function ${name} of the tool ${tool.type} has an impossible name`);
    if (isTaken(name) || names.has(name)) throw new Error(`a function ${name} is there already`);
  }
  definitions.set(tool.type, tool);
  for (const name of tool.names) names.add(name);
}
