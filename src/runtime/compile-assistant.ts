import { DATA_RULE } from '../providers/llm/platform-rules.js';
import type { EgressClient } from '../common/egress/egress-client.js';
import type {
  AssistantSnapshot,
  Channel,
  Knowledge,
  ModelRef,
  SpokenLanguage,
} from './assistant-snapshot.js';
import { builtinTools } from './builtin-tools.js';
import { handoffTools } from './handoff/handoff-tool.js';
import { httpTool } from './tools/http-tool.js';
import { knowledgeTool } from './tools/knowledge-tool.js';
import { mcpTool } from './tools/mcp-tool.js';
import { type ToolKind, type ToolMeter } from './tools/tool-meter.js';
import { fillSpoken } from './spoken-text.js';
import { neverThrowing, type RuntimeTool } from './tools/tool.js';
import { visitorValuesForTools } from './visitor-values.js';
import { byFoldedName, foldedName } from './variable-names.js';
import {
  fillPlaceholders,
  mergeVariables,
  PLATFORM_VARIABLES,
  placeholdersIn,
  systemVariables,
  type Variables,
  withDefaults,
} from './variables.js';

/** Facts of one conversation or call that variables are made of. */
export interface VariableContext {
  readonly variables: Variables;
  /** A visitor has set them, who may be anybody. Left out: the owner has. */
  readonly isFromVisitor?: boolean;
  /** Names among them that the owner's server has given values, which tools take like the owner's. */
  readonly trustedVariables?: readonly string[];
  readonly customerPhone?: string | null;
  readonly assistantPhone?: string | null;
  readonly now: Date;
}

/** An assistant ready to run: made once and used for every turn, in chat and on calls. */
export interface CompiledAssistant {
  readonly id: number;
  readonly name: string;
  readonly model: ModelRef;
  readonly fallbackModel: ModelRef | null;
  /** 0 to 1. */
  readonly temperature: number;
  readonly tools: ReadonlyMap<string, RuntimeTool>;
  readonly knowledge: Knowledge | null;
  /** Names of the variables that a stranger may set: declared or used by the assistant, and not the platform's own. */
  readonly openVariables: ReadonlySet<string>;
  /** All variables of an variableContext, the more specific winning. */
  variablesOf(variableContext: VariableContext): Variables;
  /** Those that tools may use: of a visitor without some. @param all the result of `variablesOf` */
  toolVariablesOf(variableContext: VariableContext, all: Variables): Variables;
  /** The system prompt with language, channel and tool rules, placeholders filled. */
  instructions(variables: Variables): string;
  /** First words, placeholders filled; empty when the assistant waits. */
  greeting(variables: Variables): string;
}

const CHANNEL_RULES: Readonly<Record<Channel, string>> = {
  chat: 'You are in a text chat. Answer in writing, briefly and clearly.',
  call: 'You are on a phone call. Speak in short sentences; do not use lists, symbols or formatting.',
};

/**
 * Compiles an assistant for a channel. Tools of the same name: the tenant's own wins over a built-in one.
 *
 * @param snapshot the assistant as stored
 * @param channel decides which built-in tools exist and how to answer
 * @param egress the client through which HTTP tools leave the platform
 * @param meter hears how long tools took
 */
export function compileAssistant(
  snapshot: AssistantSnapshot,
  channel: Channel,
  egress: EgressClient,
  meter?: ToolMeter,
): CompiledAssistant {
  const { knowledge, boundTools = [], handoffs = [] } = snapshot;
  const measured = (kind: ToolKind, tool: RuntimeTool) => meter?.measured(kind, tool) ?? tool;
  const tools = [
    // First, so that none of a stranger's names could stand in for another tool.
    ...snapshot.mcpTools.map((tool) => measured('mcp', mcpTool(tool))),
    ...builtinTools(snapshot.builtinTools, channel, egress, snapshot.timezone).map((tool) =>
      measured('built-in', tool),
    ),
    ...boundTools
      .filter(({ channels }) => channels.includes(channel))
      .map((tool) => measured('built-in', tool)),
    ...handoffTools(handoffs).map((tool) => measured('built-in', tool)),
    ...(knowledge?.mode === 'function_call' ? [measured('knowledge', knowledgeTool(knowledge))] : []),
    ...snapshot.httpTools.map((tool) => measured('http', httpTool(tool, egress))),
  ];
  const variablesOf = (context: VariableContext) =>
    mergeVariables(
      systemVariables({ ...snapshot, assistantId: snapshot.id, assistantName: snapshot.name, ...context }),
      withDefaults(snapshot.variables, context.variables),
    );
  const rules = [languageRule(snapshot), CHANNEL_RULES[channel], DATA_RULE].join('\n');
  return {
    id: snapshot.id,
    name: snapshot.name,
    model: snapshot.model,
    fallbackModel: snapshot.fallbackModel,
    temperature: snapshot.temperature,
    tools: new Map(tools.map((tool) => [tool.definition.name, neverThrowing(tool)])),
    knowledge,
    openVariables: openVariablesOf(snapshot),
    variablesOf,
    toolVariablesOf: (context, all) =>
      context.isFromVisitor
        ? variablesOf({
            ...context,
            variables: visitorValuesForTools(context.variables, snapshot, context.trustedVariables),
          })
        : all,
    instructions: (variables) => `${fillPlaceholders(snapshot.systemPrompt, variables)}\n\n${rules}`,
    greeting: (variables) => fillSpoken(snapshot.initialMessage, variables),
  };
}

/** The assistant with other first words for one call or conversation. @param initialMessage null: its own */
export function withInitialMessage(
  assistant: CompiledAssistant,
  initialMessage: string | null,
): CompiledAssistant {
  if (initialMessage === null) return assistant;
  return { ...assistant, greeting: (variables) => fillSpoken(initialMessage, variables) };
}

function openVariablesOf(snapshot: AssistantSnapshot): ReadonlySet<string> {
  const platform = byFoldedName(PLATFORM_VARIABLES);
  const names = [...Object.keys(snapshot.variables), ...variablesUsedBy(snapshot)];
  return new Set(names.filter((name) => !platform.has(foldedName(name))));
}

/** Names of the variables that the texts of an assistant and its tools ask for, in the order they do. */
export function variablesUsedBy(
  assistant: Pick<AssistantSnapshot, 'systemPrompt' | 'initialMessage' | 'httpTools' | 'builtinTools'>,
): string[] {
  const { systemPrompt, initialMessage, httpTools, builtinTools } = assistant;
  return placeholdersIn(JSON.stringify([systemPrompt, initialMessage, httpTools, builtinTools]));
}

function languageRule({ language, secondaryLanguages }: AssistantSnapshot): string {
  const main = `Answer in ${nameOf(language)}.`;
  return secondaryLanguages.length === 0
    ? main
    : `${main} When the customer uses ${secondaryLanguages.map(nameOf).join(' or ')}, answer in that language.`;
}

function nameOf({ name, iso2 }: SpokenLanguage): string {
  return `${name} (${iso2})`;
}
