import { llm, type voice } from '@livekit/agents';
import { parseExact } from '../../common/text/exact-json.js';
import { HANDOFF_TOOL } from '../../runtime/handoff/handoff-tool.js';
import { type FunctionCall, functionCall, type StartedFunction } from '../../runtime/function-call.js';
import {
  errorOutcome,
  type RuntimeTool,
  type ToolContext,
  type ToolEffect,
  type ToolOutcome,
} from '../../runtime/tools/tool.js';
import type { ArgumentsRepair, GivenArguments } from './arguments-repair.js';
import type { ToolResults } from './tool-results.js';

/** What tools need of the call they run in. */
export interface ToolHost {
  /** Of a tool that begins now. Its signal outlasts the call: what a tool has begun is not torn. */
  readonly context: ToolContext;
  /** Fires at the end of the call. */
  readonly over: AbortSignal;
  /** Resolves then. */
  readonly callIsOver: Promise<null>;
  readonly results: ToolResults;
  readonly maxToolsAtOnce: number;
  /** Asked when arguments are refused; null where the model that talks is a model that writes. */
  readonly repair: ArgumentsRepair | null;
  /** A tool begins; the returned function is called when it is over, or the call is. */
  onRun(turn: ToolTurn): () => void;
  /** A tool runs, until this is settled, also beyond the end of the call. It never fails. */
  onWork(work: Promise<unknown>): void;
  /** A tool has answered whose turn was interrupted, so that the engine does not ask the model about it. */
  onLateResult(): void;
  onFunctionStarted(call: StartedFunction): void;
  onFunctionCall(call: FunctionCall): void;
  onEffect(effect: ToolEffect, turn: ToolTurn): void;
  /** Another assistant has taken over in this turn, and is to go on. @param note what it reads first, once the turn is over */
  onHandoff(note: () => string, turn: ToolTurn): void;
  /** An unexpected error of a tool. */
  onError(error: unknown): void;
}

/** What a model reads of a hand-over; the rest is in the note for the assistant that takes over. */
const HANDED_OVER = '{"handed_over":true}';

/** The turn of the assistant that a tool runs in. */
export interface ToolTurn {
  /** Returns when what the model said before it called the tool has been heard. */
  spoken(): Promise<void>;
  readonly speech: voice.SpeechHandle;
}

/** The tools of an assistant as a session calls them; the same for models that write and models that speak. */
export function sessionTools(
  tools: ReadonlyMap<string, RuntimeTool>,
  host: ToolHost,
): llm.ToolContextEntry[] {
  let running = 0;
  /** What the tools of one turn have answered. An assistant that takes over has other tools, so the engine leaves it out. */
  const answers = new WeakMap<voice.SpeechHandle, string[]>();
  return [...tools.values()].map((tool) => {
    const { name, description, parameters } = tool.definition;
    return llm.tool({
      name,
      description,
      parameters: parameters as { readonly type: 'object' },
      // The customer's next words do not undo what a tool has begun: it runs to its end, and its result is kept.
      execute: async (given, { ctx, toolCallId }) => {
        const turn: ToolTurn = { spoken: () => ctx.waitForPlayout(), speech: ctx.speechHandle };
        const over = host.onRun(turn);
        running++;
        host.results.begins(toolCallId);
        host.onFunctionStarted(functionCall(name, given as GivenArguments, {}));
        try {
          const isOneTooMany = running > host.maxToolsAtOnce;
          const work = isOneTooMany
            ? refusal(given as GivenArguments)
            : run(tool, given as GivenArguments, ctx.session.history, host);
          const reported = work.then(({ args, outcome }) => {
            const { content, result, cause } = outcome;
            host.results.answered(toolCallId, hasHandedOver(name, outcome) ? HANDED_OVER : content);
            if (cause !== undefined) host.onError(cause);
            host.onFunctionCall(functionCall(name, args, result));
          });
          host.onWork(reported);
          // The engine waits for its tools at the end of the call; they go on without it.
          const done = await Promise.race([work, host.callIsOver]);
          if (!done) return undefined;
          await reported;
          const { content, effect } = done.outcome;
          if (turn.speech.interrupted) host.onLateResult();
          if (effect) host.onEffect(effect, turn);
          const others = answers.get(turn.speech) ?? [];
          answers.set(turn.speech, others);
          // The assistant that has handed over says no more.
          if (hasHandedOver(name, done.outcome)) return host.onHandoff(() => noteOf(content, others), turn);
          others.push(`${name}: ${content}`);
          return parsed(content);
        } finally {
          running--;
          over();
        }
      },
    });
  });
}

function hasHandedOver(name: string, { result }: ToolOutcome): boolean {
  return name === HANDOFF_TOOL && result['handed_over'] === true;
}

async function refusal(args: GivenArguments): ReturnType<typeof run> {
  return { args, outcome: errorOutcome('Too many tools were called at once.') };
}

function noteOf(content: string, others: readonly string[]): string {
  return others.length === 0
    ? content
    : `${content}\nOther tools have answered before:\n${others.join('\n')}`;
}

/** Runs a tool, with arguments of another model where its own are refused. */
async function run(
  tool: RuntimeTool,
  given: GivenArguments,
  { items: conversation }: llm.ChatContext,
  { context, repair, over }: ToolHost,
): Promise<{ readonly args: GivenArguments; readonly outcome: ToolOutcome }> {
  const outcome = await tool.run(given, context);
  const { refusedArguments: problem } = outcome;
  if (problem === undefined || !repair) return { args: given, outcome };
  const call = { tool: tool.definition, given, problem, conversation };
  const args = await repair.repaired(call, over);
  return args && !over.aborted ? { args, outcome: await tool.run(args, context) } : { args: given, outcome };
}

/** The engine writes results as JSON: an object is given as one, lest it becomes the text of a text. */
function parsed(content: string): unknown {
  try {
    return parseExact(content);
  } catch {
    return content;
  }
}
