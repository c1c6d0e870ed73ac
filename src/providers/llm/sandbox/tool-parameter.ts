import type { ToolDefinition } from '../chat-model.js';
import { isGeneric } from './tool-choice.js';
import { contentWords, wordsOf } from './words.js';

type ParameterType = 'string' | 'number' | 'integer' | 'boolean';

/** A parameter of a tool as its JSON Schema declares it, with the words that point to it in a text. */
export interface ToolParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly choices: readonly string[];
  readonly required: boolean;
  /** Folded words of the name. */
  readonly nameWords: readonly string[];
  /** Folded content words of name and description. */
  readonly hints: readonly string[];
}

/** Objects and arrays are left out: nothing in a sentence fills them. */
export function parametersOf(tool: ToolDefinition): ToolParameter[] {
  const { properties, required } = tool.parameters;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    const type = isRecord(schema) ? typeOf(schema) : null;
    if (type === null || !isRecord(schema)) return [];
    const description = typeof schema['description'] === 'string' ? schema['description'] : '';
    const nameWords = wordsOf(name).map((word) => word.folded);
    const hints = [...nameWords, ...contentWords(description).filter((word) => !isGeneric(word))];
    return [
      {
        name,
        type,
        description,
        choices: Array.isArray(schema['enum'])
          ? schema['enum'].filter((choice) => typeof choice === 'string')
          : [],
        required: Array.isArray(required) ? required.includes(name) : true,
        nameWords,
        hints: [...new Set(hints)],
      },
    ];
  });
}

/** Whether one of the words names this parameter or is used to describe it. */
export function isAbout(parameter: ToolParameter, subject: RegExp): boolean {
  return parameter.hints.some((word) => subject.test(word));
}

function typeOf(schema: Record<string, unknown>): ParameterType | null {
  const types: unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const known = types.find(
    (type) => type === 'string' || type === 'number' || type === 'integer' || type === 'boolean',
  );
  return known ?? null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
