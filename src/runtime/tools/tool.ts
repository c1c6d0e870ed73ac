import type { ToolDefinition } from '../../providers/llm/chat-model.js';
import type { CallControls } from './call-controls.js';
import type { HandOver } from './handoff-target.js';
import type { Variables } from '../variables.js';

/**
 * The call or chat that a tool runs in, as the platform knows it. Neither the model nor the customer can change it, unlike
 * `variables`, which a website or a lead may set.
 */
export interface ToolOrigin {
  /** The account. */
  readonly userId: number;
  /** The assistant that the call or chat began with; null once it is deleted. */
  readonly assistantId: number | null;
  /** UUID of the chat; null in a call. */
  readonly conversationId: string | null;
  /** Null in a chat, as are the next three. */
  readonly callId: number | null;
  /** Null outside of campaigns, as is the next. */
  readonly leadId: number | null;
  readonly campaignId: number | null;
  /** E.164; null on the web. */
  readonly customerPhone: string | null;
}

/** What a tool may know of the turn it runs in. */
export interface ToolContext {
  /** Without the values of a visitor that tools may not use. */
  readonly variables: Variables;
  /** With all values, for what the assistant says. Left out: as `variables`. */
  readonly spokenVariables?: Variables;
  /** Left out where there is no customer: in simulations, and while a supervisor is briefed. */
  readonly origin?: ToolOrigin;
  /** Ends with the turn: a tool that hears it stops. */
  readonly signal: AbortSignal;
  /** The line, on a call; a chat has none. */
  readonly call?: CallControls;
  /** Where other assistants can take over. */
  readonly handOver?: HandOver;
}

/**
 * What has come of a tool for the talk itself, so that a model may have nothing more to say. After the turn, the platform
 * ends the conversation or the call; `acted-on-line` is done: keys are pressed, or the call is transferred.
 */
export type ToolEffect = 'end-conversation' | 'end-call' | 'acted-on-line';

export interface ToolOutcome {
  /** What the model reads, at most 16 KiB. */
  readonly content: string;
  /** The same as an object, for `function_calls`. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly effect?: ToolEffect;
  /** What was wrong with the arguments; the tool has done nothing, and can be called again with others. */
  readonly refusedArguments?: string;
  /** An unexpected error, for the operator's log; the model reads only that the tool failed. */
  readonly cause?: unknown;
}

/** A function an assistant can use while it talks; the same in chat and on calls. */
export interface RuntimeTool {
  readonly definition: ToolDefinition;
  /**
   * Runs the tool. What goes wrong is an outcome for the model to read, never an exception.
   *
   * @param args what the model gave, already an object; each tool checks it against its own schema
   */
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome>;
}

const MAX_CONTENT_BYTES = 16 * 1024;

/** An outcome whose model text is the object as JSON. */
export function objectOutcome(result: Readonly<Record<string, unknown>>, effect?: ToolEffect): ToolOutcome {
  return { result, content: markedText(JSON.stringify(result)), ...(effect ? { effect } : {}) };
}

export function errorOutcome(error: string): ToolOutcome {
  return objectOutcome({ error });
}

/** Of arguments that a tool cannot do anything with. */
export function refusedArguments(problem: string): ToolOutcome {
  return { ...errorOutcome(problem), refusedArguments: problem };
}

/** Keeps the promise of `run` for any tool: what it throws all the same becomes an outcome with a cause. */
export function neverThrowing(tool: RuntimeTool): RuntimeTool {
  return {
    definition: tool.definition,
    run: async (args, context) => {
      try {
        return await tool.run(args, context);
      } catch (cause) {
        return { ...errorOutcome('The tool failed.'), cause };
      }
    },
  };
}

const CUT_NOTE = '\n[The answer was cut here: it is longer than 16 KiB, and the rest is missing.]';

/**
 * What the model reads of an answer: at most 16 KiB of it, which say so where something is missing.
 *
 * @param isCut whether it was longer before
 */
export function markedText(text: string, isCut = false): string {
  if (!isCut && Buffer.byteLength(text) <= MAX_CONTENT_BYTES) return text;
  return boundedText(text, MAX_CONTENT_BYTES - CUT_NOTE.length) + CUT_NOTE;
}

/** Cuts at a character's end. */
export function boundedText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes
    ? text
    : new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\uFFFD$/, '');
}

/** A name that model servers take in a history, where a model made one up that no tool can have. */
export function callableName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown';
}
