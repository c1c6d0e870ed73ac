import type { CompiledAssistant } from '../../../runtime/compile-assistant.js';
import { errorOutcome, objectOutcome, type RuntimeTool } from '../../../runtime/tools/tool.js';
import type { Scenario } from '../scenario.js';
import { isHarmless } from './harmless-tools.js';

const NOTHING_SAID = { ok: true };

/**
 * The same assistant with tools that answer what the scenario says instead of calling anybody.
 *
 * @param ownTools names of tools that the tenant has made
 */
export function withMockedTools(
  assistant: CompiledAssistant,
  results: Scenario['mock_results'],
  ownTools: ReadonlySet<string>,
): CompiledAssistant {
  const tools = [...assistant.tools].map(([name, tool]): [string, RuntimeTool] =>
    isHarmless(name, ownTools) ? [name, tool] : [name, mocked(tool, results[name] ?? NOTHING_SAID)],
  );
  return { ...assistant, tools: new Map(tools) };
}

function mocked({ definition }: RuntimeTool, result: Readonly<Record<string, unknown>>): RuntimeTool {
  const { required } = definition.parameters;
  const needed = Array.isArray(required) ? required.map(String) : [];
  return {
    definition,
    run: (args) => {
      const missing = needed.find(
        (name) => args[name] === undefined || args[name] === null || args[name] === '',
      );
      // As the tool itself would answer.
      return Promise.resolve(
        missing === undefined ? objectOutcome(result) : errorOutcome(`The argument "${missing}" is missing.`),
      );
    },
  };
}
