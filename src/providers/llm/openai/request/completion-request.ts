import type { ChatRequest, ToolDefinition } from '../../chat-model.js';
import { messagesIn } from './message-order.js';
import type { OptionalParameter, RequestForm } from './request-form.js';
import { toolsInWords } from './tools-in-words.js';
import { type WireMessage, wireMessageIn } from './wire-message.js';

interface WireTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

/** The body of `POST /chat/completions`. */
export interface CompletionBody {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly stream: true;
  readonly tools?: readonly WireTool[];
  readonly [parameter: string]: unknown;
}

/** The body of a request in a form that a server takes. An empty `tools` is left out because OpenAI refuses one. */
export function toCompletionRequest(given: ChatRequest, form: RequestForm): CompletionBody {
  const request = form.tools === 'words' ? toolsInWords(given) : given;
  const { model, tools, toolChoice, maxOutputTokens } = request;
  const isAskedInWords = toolChoice === 'required' && form.requiredToolChoice !== 'required';
  const messages = messagesIn(isAskedInWords ? withDemand(request) : request, form);
  const choice = isAskedInWords && form.requiredToolChoice === 'auto' ? 'auto' : toolChoice;
  const hasChoice = choice !== undefined && !(isAskedInWords && form.requiredToolChoice === 'left-out');
  const limit = form.outputLimit;
  const settings: Readonly<Record<OptionalParameter, unknown>> = {
    temperature: request.temperature,
    stream_options: { include_usage: true },
    reasoning_effort: request.reasoningEffort,
  };
  return {
    model,
    messages: messages.map((message) => wireMessageIn(message, form)),
    stream: true,
    ...optional(settings, form.leftOut),
    ...(tools.length > 0 && { tools: tools.map((tool) => toWireTool(tool, form)) }),
    ...(tools.length > 0 && hasChoice && { tool_choice: choice }),
    ...(maxOutputTokens !== undefined && limit !== 'none' && { [limit]: maxOutputTokens }),
  };
}

function optional(
  settings: Readonly<Record<OptionalParameter, unknown>>,
  leftOut: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== undefined && !leftOut.includes(name)),
  );
}

/** Where a server cannot be asked for a call, the model is. */
function withDemand(request: ChatRequest): ChatRequest {
  const names = request.tools.map(({ name }) => name).join(', ');
  const demand = `Answer with a call of a tool, without other words. Tools: ${names}.`;
  const [first, ...rest] = request.messages;
  if (first?.role !== 'system')
    return { ...request, messages: [{ role: 'system', content: demand }, ...request.messages] };
  return { ...request, messages: [{ role: 'system', content: `${first.content}\n\n${demand}` }, ...rest] };
}

function toWireTool({ name, description, parameters }: ToolDefinition, form: RequestForm): WireTool {
  const properties = parameters['properties'] ?? {};
  const isEmpty = typeof properties === 'object' && Object.keys(properties).length === 0;
  if (isEmpty && form.emptyParameters === 'left-out')
    return { type: 'function', function: { name, description } };
  // Servers and chat templates look into `properties` without asking whether it is there.
  const whole =
    'properties' in parameters && 'type' in parameters
      ? parameters
      : { type: 'object', properties: {}, ...parameters };
  const keywords = form.schemaKeywordsLeftOut;
  const accepted = keywords.length === 0 ? whole : schemaWithout(whole, keywords);
  return { type: 'function', function: { name, description, parameters: accepted } };
}

/** A schema without some keywords; names of properties are no keywords. */
function schemaWithout(
  schema: Readonly<Record<string, unknown>>,
  keywords: readonly string[],
): Record<string, unknown> {
  const kept = Object.entries(schema).filter(([key]) => !keywords.includes(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === 'properties' ? eachWithout(value, keywords) : valueWithout(value, keywords),
    ]),
  );
}

function eachWithout(properties: unknown, keywords: readonly string[]): unknown {
  if (!isSchema(properties)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, valueWithout(value, keywords)]),
  );
}

function valueWithout(value: unknown, keywords: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => valueWithout(item, keywords));
  return isSchema(value) ? schemaWithout(value, keywords) : value;
}

function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
