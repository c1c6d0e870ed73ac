import { parseExact } from '../common/text/exact-json.js';
import type { ChatModel, TokenUsage, ToolDefinition } from '../providers/llm/chat-model.js';
import { ModelError } from '../providers/llm/model-error.js';
import type { ModelRef } from './assistant-snapshot.js';

const TRIES = 2;
/** Material that a model finds too long is halved, down to this length. */
const MIN_MATERIAL_LENGTH = 2_000;
const LEFT_OUT = '[The beginning is left out.]\n';
/** A model that writes more has not understood; its end is not awaited. */
const MAX_WRITTEN_LENGTH = 100_000;

/** Values that a model is asked for. */
export interface ReportRequest<Report> {
  readonly chatModel: ChatModel;
  readonly model: ModelRef;
  /** What it has to judge by. */
  readonly instructions: string;
  /** What it has to judge. */
  readonly material: string;
  /** Its parameters are the values. */
  readonly tool: ToolDefinition;
  /** Makes the report from JSON that may hold anything; throws when it is of another form. */
  readonly parse: (json: unknown) => Report;
  readonly signal: AbortSignal;
  readonly onUsage?: (usage: TokenUsage | null) => void;
  /** Hears of each answer that cannot be used, and of each failure. */
  readonly onError: (error: unknown) => void;
}

/** The end of a conversation says more about it than its beginning. */
function newerHalf(material: string): string {
  return `${LEFT_OUT}${material.slice(Math.ceil(material.length / 2) + LEFT_OUT.length).toWellFormed()}`;
}

/** What a model wrote is not what was asked for. */
class InvalidReportError extends Error {
  override readonly name = 'InvalidReportError';
}

/**
 * Asks a model for values. One that fails, or answers with something else, is asked once more. Null after a second answer
 * that cannot be used.
 *
 * @throws ModelError when the model gave no answer at all; it may do so later
 */
export async function askForReport<Report>(request: ReportRequest<Report>): Promise<Report | null> {
  let { material } = request;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return parsed(await ask({ ...request, material }), request);
    } catch (error) {
      request.onError(error);
      if (error instanceof ModelError && error.isTooLong && material.length > MIN_MATERIAL_LENGTH) {
        material = newerHalf(material);
        attempt--;
        continue;
      }
      const isFinal = attempt === TRIES || (error instanceof ModelError && error.code === 'aborted');
      if (isFinal && error instanceof ModelError) throw error;
    }
  }
  return null;
}

/** Asks by a tool which the model must call: the one form of structured answers that all servers know. */
async function ask<Report>(request: ReportRequest<Report>): Promise<string> {
  const { chatModel, model, instructions, material, tool, signal, onUsage } = request;
  const { code, reasoningEffort } = model;
  const stream = chatModel.stream(
    {
      model: code,
      ...(reasoningEffort ? { reasoningEffort } : {}),
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: material },
      ],
      tools: [tool],
      toolChoice: 'required',
      temperature: 0,
    },
    { signal },
  );
  let text = '';
  let called: string | null = null;
  for await (const chunk of stream) {
    if (chunk.type === 'text') text += chunk.text;
    else if (chunk.type === 'retract') text = '';
    else if (chunk.type === 'finish') onUsage?.(chunk.usage);
    else if (chunk.toolCall.name === tool.name) called ??= chunk.toolCall.arguments;
    if (text.length > MAX_WRITTEN_LENGTH) break;
  }
  return called ?? text;
}

/** Models that cannot call tools write the JSON, often in a fence. */
function parsed<Report>(written: string, { parse }: ReportRequest<Report>): Report {
  try {
    return parse(parseExact(written.slice(Math.max(0, written.indexOf('{')), written.lastIndexOf('}') + 1)));
  } catch (cause) {
    throw new InvalidReportError('The answer of the model is not of the form that was asked for.', { cause });
  }
}
