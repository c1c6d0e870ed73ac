import type { ReasoningEffort } from '../providers/llm/chat-model.js';
import type { HandoffTarget } from './tools/handoff-target.js';
import type { HttpTool } from './tools/http-tool.js';
import type { McpTool } from './tools/mcp-tool.js';
import type { RuntimeTool } from './tools/tool.js';
import type { Variables } from './variables.js';

/** Where an assistant talks: what makes sense in one channel may not in the other. */
export type Channel = 'chat' | 'call';

export type EngineMode = 'pipeline' | 'multimodal' | 'dualplex';

export interface SpokenLanguage {
  /** English name, as models know it. */
  readonly name: string;
  readonly iso2: string;
}

/** A built-in tool as configured: `type` and its own fields. */
export interface BuiltinToolSpec {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The name a model server knows, and what must be sent with it. */
export interface ModelRef {
  readonly code: string;
  readonly reasoningEffort?: ReasoningEffort;
}

/** A passage of a knowledge base with its source. */
export interface Passage {
  readonly text: string;
  /** Name of the document. */
  readonly source: string;
  readonly url?: string | null;
}

export interface Knowledge {
  /** `prompt`: passages are looked up for each user message; `function_call`: the model asks for them. */
  readonly mode: 'prompt' | 'function_call';
  search(query: string, signal: AbortSignal): Promise<readonly Passage[]>;
}

/** A tool of a module or a plugin, bound to the account whose assistant has it. */
export interface BoundTool extends RuntimeTool {
  readonly channels: readonly Channel[];
}

/** Everything an assistant is, gathered once: what the compiler reads. Holds no rows and no secrets it does not use. */
export interface AssistantSnapshot {
  readonly id: number;
  readonly name: string;
  readonly mode: EngineMode;
  readonly timezone: string;
  readonly language: SpokenLanguage;
  readonly secondaryLanguages: readonly SpokenLanguage[];
  readonly systemPrompt: string;
  readonly initialMessage: string;
  readonly temperature: number;
  readonly variables: Variables;
  /** Names of variables that tools take from visitors; null or left out: those without a value in `variables`. */
  readonly visitorVariables?: readonly string[] | null;
  readonly model: ModelRef;
  readonly fallbackModel: ModelRef | null;
  readonly httpTools: readonly HttpTool[];
  readonly mcpTools: readonly McpTool[];
  readonly builtinTools: readonly BuiltinToolSpec[];
  /** Built-in tools of modules and plugins; none when left out. */
  readonly boundTools?: readonly BoundTool[];
  /** Assistants that it may hand the customer over to; none when left out. */
  readonly handoffs?: readonly HandoffTarget[];
  readonly knowledge: Knowledge | null;
}
