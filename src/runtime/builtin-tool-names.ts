import { addedToolNames } from './tools/assistant-tool.js';
import { HANDOFF_TOOL } from './handoff/handoff-tool.js';

const NAMES: ReadonlySet<string> = new Set([
  'book_appointment',
  'end_call',
  'end_conversation',
  'find_free_times',
  HANDOFF_TOOL,
  'search_knowledge_base',
  'send_keypad_tones',
  'transfer_call',
  'transfer_to_supervisor',
]);
/** The slugs of their events distinguish several calendars. */
const PREFIXES = ['book_appointment_', 'find_free_times_'];

/**
 * Whether a built-in tool may have this name, in chat or on calls. It does not matter whether an assistant has that
 * built-in tool today: it could get it with the next change of its settings.
 */
export function isBuiltinToolName(name: string): boolean {
  return isOwnToolName(name) || addedToolNames.has(name);
}

/** Whether the product itself has it; others are added by modules and plugins. */
export function isOwnToolName(name: string): boolean {
  return NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}
