import { describe, expect, it } from '@jest/globals';
import type { EgressClient } from '../common/egress/egress-client.js';
import { builtinTools } from './builtin-tools.js';
import { isBuiltinToolName } from './builtin-tool-names.js';
import { handoffTools } from './handoff/handoff-tool.js';
import { KNOWLEDGE_TOOL_NAME } from './tools/knowledge-tool.js';

const calendar = (extcal_event_slug: string) => ({
  type: 'calendar_integration',
  extcal_api_key: 'cal_live_key',
  extcal_event_slug,
});
const SPECS = [
  { type: 'call_transfer', phone_number: '+5511987654321' },
  { type: 'warm_call_transfer', supervisor_phone: '+5511987654321' },
  { type: 'end_call' },
  { type: 'dtmf_input' },
  { type: 'collect_keypad' },
];
/** What a tool of an account may be called. */
const TOOL_NAME = /^[a-z][a-z_]*$/;

describe('Names of built-in tools', () => {
  it.each([
    ['one calendar', [...SPECS, calendar('consulta')]],
    ['several calendars', [...SPECS, calendar('consulta'), calendar('Retorno anual')]],
  ])('are known for every built-in tool, in chat and on calls: %s', (_case, specs) => {
    const names = (['chat', 'call'] as const).flatMap((channel) =>
      builtinTools(specs, channel, {} as EgressClient, 'America/Sao_Paulo').map(
        ({ definition }) => definition.name,
      ),
    );
    expect(names.length).toBeGreaterThanOrEqual(9);
    expect(names.filter((name) => TOOL_NAME.test(name) && !isBuiltinToolName(name))).toEqual([]);
  });

  it('include the search of a knowledge base', () => {
    expect(isBuiltinToolName(KNOWLEDGE_TOOL_NAME)).toBe(true);
  });

  it('include the hand-over to another assistant', () => {
    const [tool] = handoffTools([{ assistantId: 2, name: 'Vendas', description: 'Compras', message: '' }]);
    expect(isBuiltinToolName(tool?.definition.name ?? '')).toBe(true);
  });

  it('leave all others to the account', () => {
    expect(['get_weather', 'transfer', 'book_appointments', 'find_free'].filter(isBuiltinToolName)).toEqual(
      [],
    );
  });
});
