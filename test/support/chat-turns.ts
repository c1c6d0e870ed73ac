import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatTurnInput, runChatTurn, type TurnListener } from '../../src/runtime/chat-turn.js';
import type { CompiledAssistant } from '../../src/runtime/compile-assistant.js';
import { neverThrowing, objectOutcome, type RuntimeTool } from '../../src/runtime/tools/tool.js';
import type { ScriptedChatModel } from './scripted-chat-model.js';

type Run = RuntimeTool['run'];

export function tool(name: string, run: Run): RuntimeTool {
  const parameters = { type: 'object', properties: {} };
  return neverThrowing({ definition: { name, description: `Tool ${name}`, parameters }, run });
}

export function answering(result: Record<string, unknown>, afterMs = 0): Run {
  return async () => {
    if (afterMs > 0) await sleep(afterMs);
    return objectOutcome(result);
  };
}

export function assistantWith(
  tools: readonly RuntimeTool[],
  extra: Partial<CompiledAssistant> = {},
): CompiledAssistant {
  return {
    id: 1,
    name: 'Bia',
    model: { code: 'main' },
    fallbackModel: null,
    temperature: 0.3,
    tools: new Map(tools.map((one) => [one.definition.name, one])),
    knowledge: null,
    openVariables: new Set(),
    variablesOf: () => ({}),
    toolVariablesOf: () => ({}),
    instructions: (variables) => `Be kind to ${String(variables['name'])}.`,
    greeting: () => '',
    ...extra,
  };
}

export function turn(
  chatModel: ScriptedChatModel,
  tools: readonly RuntimeTool[] = [],
  { fallback = false, ...extra }: Partial<ChatTurnInput> & { fallback?: boolean } = {},
) {
  return runChatTurn({
    assistant: assistantWith(tools, fallback ? { fallbackModel: { code: 'spare' } } : {}),
    chatModel,
    history: [],
    message: 'Hi',
    variables: { name: 'Ana' },
    toolVariables: { name: 'Ana' },
    limits: { maxToolSteps: 3, maxToolsPerStep: 4 },
    signal: new AbortController().signal,
    ...extra,
  });
}

/** Writes down what it hears, in order. */
export function listening(): { heard: string[]; listener: TurnListener } {
  const heard: string[] = [];
  return {
    heard,
    listener: {
      onText: (delta) => heard.push(`text ${JSON.stringify(delta)}`),
      onRestart: (kept) => heard.push(kept === '' ? 'restart' : `restart ${JSON.stringify(kept)}`),
      onFunctionCall: ({ name, result }) => heard.push(`call ${name} ${JSON.stringify(result)}`),
    },
  };
}
