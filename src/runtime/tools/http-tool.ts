import type { EgressClient, EgressResponse } from '../../common/egress/egress-client.js';
import { EgressError } from '../../common/egress/egress-error.js';
import { parseExact } from '../../common/text/exact-json.js';
import {
  buildHttpToolRequest,
  type HttpToolRequest,
  type HttpToolSpec,
  UnsafeArgumentError,
} from './http-tool-request.js';
import { checkExactArguments, parametersSchema, type ToolParameterSpec } from './tool-arguments.js';
import {
  boundedText,
  errorOutcome,
  markedText,
  objectOutcome,
  refusedArguments,
  type RuntimeTool,
  type ToolContext,
  type ToolOutcome,
} from './tool.js';

/** A tenant's mid-call tool, headers opened. */
export interface HttpTool extends HttpToolSpec {
  readonly name: string;
  readonly description: string;
  readonly timeoutMs: number;
  readonly parameters: readonly ToolParameterSpec[];
}

const MAX_ANSWER_BYTES = 16 * 1024;
/** Of an error's body: enough for its message. */
const MAX_ERROR_BYTES = 1024;
const MAX_REDIRECTS = 3;

/** Makes a tenant's tool something an assistant can use: a real HTTP request, whose failure is a sentence for the model. */
export function httpTool(tool: HttpTool, egress: EgressClient): RuntimeTool {
  return {
    definition: {
      name: tool.name,
      description: tool.description,
      parameters: parametersSchema(tool.parameters),
    },
    run: async (given, context) => (await callHttpTool(tool, given, context, egress)).outcome,
  };
}

/** One call of a tool, as far as it came. */
export interface HttpToolCall {
  /** Null where the arguments make none. */
  readonly request: HttpToolRequest | null;
  /** At most 16 KiB of body; null when nothing was sent, or no answer came. */
  readonly answer: EgressResponse | null;
  readonly outcome: ToolOutcome;
}

/** Calls a tool once, and returns what was sent and answered, and what the model reads. It fails only by a defect. */
export async function callHttpTool(
  tool: HttpTool,
  given: Readonly<Record<string, unknown>>,
  context: ToolContext,
  egress: EgressClient,
): Promise<HttpToolCall> {
  const checked = checkExactArguments(tool.parameters, given);
  if ('problem' in checked)
    return { request: null, answer: null, outcome: refusedArguments(checked.problem) };
  let request: HttpToolRequest | null = null;
  try {
    request = buildHttpToolRequest(tool, checked.args, context.variables);
    const answer = await send(tool, request, egress, context);
    return { request, answer, outcome: outcomeOf(answer) };
  } catch (error) {
    if (error instanceof UnsafeArgumentError)
      return { request, answer: null, outcome: refusedArguments(error.message) };
    if (error instanceof EgressError) return { request, answer: null, outcome: errorOutcome(error.message) };
    throw error;
  }
}

function send(
  tool: HttpTool,
  request: HttpToolRequest,
  egress: EgressClient,
  { signal }: ToolContext,
): Promise<EgressResponse> {
  return egress.request({
    ...request,
    timeoutMs: tool.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    whenTooLarge: 'truncate',
    maxRedirects: MAX_REDIRECTS,
    signal,
  });
}

function outcomeOf({ status, bodyText, truncated }: EgressResponse): ToolOutcome {
  if (status < 200 || status > 299) {
    const error = `The tool answered with HTTP status ${status}.`;
    return objectOutcome(
      bodyText === '' ? { error } : { error, answer: boundedText(bodyText, MAX_ERROR_BYTES) },
    );
  }
  if (bodyText === '') return { content: '{"ok":true}', result: { ok: true } };
  const content = markedText(bodyText, truncated);
  return { content, result: content === bodyText ? asObject(content) : { truncated: true, text: bodyText } };
}

/** An answer as an object: a JSON object as it is, other JSON under `data`, anything else under `text`. */
function asObject(text: string): Record<string, unknown> {
  try {
    const value = parseExact(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : { data: value };
  } catch {
    return { text };
  }
}
