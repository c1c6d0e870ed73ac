import type { AssistantResponse } from '#client/types.gen.js';
import { stateOf } from './assistant-state.js';

/** The outbound assistants that their owner has not turned off, a given one first. */
export function callersOf(all: readonly AssistantResponse[], firstId: number): readonly AssistantResponse[] {
  const callers = all.filter(
    (assistant) => assistant.type === 'outbound' && stateOf(assistant) !== 'deactivated',
  );
  return [...callers.filter(({ id }) => id === firstId), ...callers.filter(({ id }) => id !== firstId)];
}
