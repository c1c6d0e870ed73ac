import type { EgressClient } from '../common/egress/egress-client.js';
import type { BuiltinToolSpec, Channel } from './assistant-snapshot.js';
import { callTools } from './call/tools/call-tools.js';
import { calendarTools } from './calendar/calendar-tools.js';
import { objectOutcome, type RuntimeTool } from './tools/tool.js';

/**
 * The built-in tools that do something in the channel. A chat has no line to transfer and no keypad, so there only
 * ending and booking remain.
 */
export function builtinTools(
  specs: readonly BuiltinToolSpec[],
  channel: Channel,
  egress: EgressClient,
  timezone: string,
): RuntimeTool[] {
  const ofType = (type: string) => specs.filter((spec) => spec.type === type);
  return [
    ...calendarTools(ofType('calendar_integration'), egress, timezone),
    ...(channel === 'chat' ? ofType('end_call').slice(0, 1).map(endConversationTool) : callTools(specs)),
  ];
}

function endConversationTool({ description }: BuiltinToolSpec): RuntimeTool {
  const when = typeof description === 'string' && description !== '' ? ` ${description}` : '';
  return {
    definition: {
      name: 'end_conversation',
      description: `Ends the conversation; say goodbye after it.${when}`,
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    },
    run: () => Promise.resolve(objectOutcome({ ended: true }, 'end-conversation')),
  };
}
