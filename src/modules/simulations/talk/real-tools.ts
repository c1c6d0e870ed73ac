import type { CompiledAssistant } from '../../../runtime/compile-assistant.js';
import type { RuntimeTool } from '../../../runtime/tools/tool.js';
import { isHarmless } from './harmless-tools.js';

/**
 * The same assistant, whose tools are called for real.
 *
 * @param ownTools names of tools that the tenant has made
 * @param beforeCall waited for before each call of a tool that may touch something outside the platform
 */
export function withRealTools(
  assistant: CompiledAssistant,
  ownTools: ReadonlySet<string>,
  beforeCall: () => Promise<void>,
): CompiledAssistant {
  const tools = [...assistant.tools].map(([name, tool]): [string, RuntimeTool] =>
    isHarmless(name, ownTools) ? [name, tool] : [name, announced(tool, beforeCall)],
  );
  return { ...assistant, tools: new Map(tools) };
}

function announced(tool: RuntimeTool, beforeCall: () => Promise<void>): RuntimeTool {
  return {
    definition: tool.definition,
    run: async (args, context) => {
      await beforeCall();
      return tool.run(args, context);
    },
  };
}
