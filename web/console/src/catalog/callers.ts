import type { AssistantResponse } from '#client/types.gen.js';
import { stateOf } from './assistant-state.js';

/** The outbound assistants that their owner has not turned off, the one of the last call first. */
export function callersOf(all: readonly AssistantResponse[], lastId: number): readonly AssistantResponse[] {
  const callers = all.filter(
    (assistant) => assistant.type === 'outbound' && stateOf(assistant) !== 'deactivated',
  );
  return [...callers.filter(({ id }) => id === lastId), ...callers.filter(({ id }) => id !== lastId)];
}
