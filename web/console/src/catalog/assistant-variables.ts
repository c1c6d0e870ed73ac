import type { AssistantResponse } from '#client/types.gen.js';
import { placeholdersIn } from '../texts/placeholders.js';

/** Variables that Prosa fills in itself. */
export const OWN_VARIABLES: readonly string[] = [
  'assistant_id',
  'assistant_name',
  'assistant_phone',
  'current_date',
  'current_time',
  'customer_phone',
];

type Asking = Pick<AssistantResponse, 'variables' | 'system_prompt' | 'initial_message'>;

/** Names of the variables of an assistant: those of its prompt and its own defaults. */
export function variablesOf({ variables, system_prompt, initial_message }: Asking): string[] {
  const named = placeholdersIn(`${system_prompt ?? ''} ${initial_message ?? ''}`);
  return [...new Set([...Object.keys(variables ?? {}), ...named])].filter(
    (name) => !OWN_VARIABLES.includes(name),
  );
}

/** What the assistant has for a variable where nothing else is given. */
export function defaultOf({ variables }: Asking, name: string): string {
  const value = (Object(variables) as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
