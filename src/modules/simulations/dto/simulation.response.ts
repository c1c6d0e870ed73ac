import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  DatedResponse,
  FreeObject,
  NullableEnum,
  NullableInteger,
  NullableMoment,
  NullableText,
} from '../../../common/http/response-fields.js';
import { isTextKey, say } from '../../../i18n/catalogue.js';
import { TOOL_MODES, type ToolMode } from '../scenario.js';
import {
  type CheckOutcome,
  type Reason,
  RUN_STATUSES,
  type SimulationRun,
} from '../simulation-run.entity.js';
import { SIMULATION_STATUSES, type SimulationStatus } from '../simulation.entity.js';
import type { CountedSimulation, SimulationDetails } from '../simulations.service.js';
import { TALK_ENDS, type TalkEnd, type TalkTurn } from '../talk/talk.js';
import { SIMULATION_FORMS } from './simulation.request.js';

const formsOf = (fit: (name: string) => boolean) =>
  SIMULATION_FORMS.filter(({ name }) => fit(name)).map((form) => ({ $ref: getSchemaPath(form) }));
const isCustomer = (name: string) => name.endsWith('CustomerRequest');

class SimulatedFunctionCallResponse {
  @ApiProperty({ description: 'Name of the function', example: 'track_order' })
  declare name: string;

  @FreeObject({ example: { order_number: '42' }, description: 'What the model filled in' })
  declare arguments: Readonly<Record<string, unknown>>;

  @FreeObject({ description: 'What it answered', example: { status: 'shipped' } })
  declare result: Readonly<Record<string, unknown>>;
}

class SimulatedTurnResponse implements TalkTurn {
  @ApiProperty({ enum: ['customer', 'assistant'], description: 'Who says it' })
  declare role: 'customer' | 'assistant';

  @ApiProperty({ description: 'What is said', example: 'Cada mensagem custa 0,01 dólar.' })
  declare text: string;

  @ApiProperty({
    type: [SimulatedFunctionCallResponse],
    description: 'Of the assistant, in the order of the calls',
  })
  declare function_calls: readonly SimulatedFunctionCallResponse[];
}

class CheckResultResponse {
  @ApiProperty({ type: 'integer', description: 'Which of the checks, from 0' })
  declare check: number;

  @ApiProperty({ description: 'Whether it holds' })
  declare passed: boolean;

  @ApiProperty({ description: 'Why', example: 'O texto está na mensagem 2 do assistente.' })
  declare reason: string;
}

class SimulationRunResponse {
  @ApiProperty({ type: 'integer', description: 'From 1' })
  declare number: number;

  @ApiProperty({
    enum: RUN_STATUSES,
    description: 'error: the conversation broke off, so that nothing can be said about the assistant',
  })
  declare status: SimulationRun['status'];

  @NullableEnum(TALK_ENDS, { description: 'Who ended the conversation, or that there were no more turns' })
  declare ended_by: TalkEnd | null;

  @ApiProperty({ type: [SimulatedTurnResponse], description: 'As far as it is' })
  declare transcript: readonly SimulatedTurnResponse[];

  @ApiProperty({ type: [CheckResultResponse], description: 'Empty until the conversation is over' })
  declare checks: readonly CheckResultResponse[];

  @NullableText({ description: 'Why it broke off', example: null })
  declare error: string | null;

  @NullableMoment('When it was begun the last time')
  declare started_at: string | null;

  @NullableMoment('Null until it is over')
  declare finished_at: string | null;
}

class SimulationTotalsResponse {
  @ApiProperty({ type: 'integer', description: 'Not over yet' })
  declare pending: number;

  @ApiProperty({ type: 'integer', description: 'All checks hold' })
  declare passed: number;

  @ApiProperty({ type: 'integer', description: 'A check does not hold' })
  declare failed: number;

  @ApiProperty({ type: 'integer', description: 'Broke off' })
  declare errors: number;

  @NullableInteger({ description: 'Of all models; null where the provider does not count' })
  declare input_tokens: number | null;

  @NullableInteger({ description: 'Of all models; null where the provider does not count' })
  declare output_tokens: number | null;
}

export class SimulationSummaryResponse extends DatedResponse {
  @ApiProperty({ type: 'integer', description: 'Id of the assistant' })
  declare assistant_id: number;

  @NullableText({ description: 'Name, for people', example: 'Asks what a message costs' })
  declare name: string | null;

  @ApiProperty({ enum: SIMULATION_STATUSES, description: 'completed: each run is over' })
  declare status: SimulationStatus;

  @NullableInteger({ description: 'Prompt that is tried; null for a draft' })
  declare prompt_version_id: number | null;

  @ApiProperty({ type: 'integer', description: 'How often it is played' })
  declare runs: number;

  @ApiProperty({ type: SimulationTotalsResponse, description: 'How the runs stand' })
  declare totals: SimulationTotalsResponse;

  @NullableMoment('Null until it is over')
  declare finished_at: string | null;
}

export class SimulationResponse extends SimulationSummaryResponse {
  @ApiProperty({ type: 'integer', description: 'Messages of the customer after which a run ends' })
  declare max_turns: number;

  @ApiProperty({
    oneOf: formsOf(isCustomer),
    description: 'As it was sent',
    example: { type: 'script', lines: ['Olá'] },
  })
  declare customer: object;

  @ApiProperty({
    type: 'array',
    items: { oneOf: formsOf((name) => !isCustomer(name)) },
    description: 'As they were sent',
    example: [{ type: 'says', text: '0,01 dólar' }],
  })
  declare checks: readonly object[];

  @FreeObject({ description: 'Variables of the conversation', example: {} })
  declare variables: Readonly<Record<string, unknown>>;

  @ApiProperty({ enum: TOOL_MODES, description: 'Whether tools are called, or answer as mock_results says' })
  declare tools: ToolMode;

  @FreeObject({ description: 'What each tool answers', example: {} })
  declare mock_results: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: [SimulationRunResponse], description: 'Each conversation' })
  declare results: SimulationRunResponse[];
}

export function toSimulationSummary(counted: CountedSimulation): SimulationSummaryResponse {
  return summaryOf(counted);
}

export function toSimulationResponse(details: SimulationDetails): SimulationResponse {
  const { max_turns, customer, checks, variables, tools, mock_results } = details.simulation.scenario;
  return {
    ...summaryOf(details),
    max_turns,
    customer,
    checks,
    variables,
    tools,
    mock_results,
    results: details.runs.map(toRunResponse),
  };
}

/** A plain object, which can be spread. */
function summaryOf({ simulation, totals }: CountedSimulation) {
  return {
    id: simulation.id,
    assistant_id: simulation.assistantId,
    name: simulation.name,
    status: simulation.status,
    prompt_version_id: simulation.promptVersionId,
    runs: simulation.runs,
    totals: {
      pending: totals.pending,
      passed: totals.passed,
      failed: totals.failed,
      errors: totals.errors,
      input_tokens: totals.inputTokens,
      output_tokens: totals.outputTokens,
    },
    created_at: simulation.createdAt.toISOString(),
    finished_at: simulation.finishedAt?.toISOString() ?? null,
  };
}

function toRunResponse(run: SimulationRun): SimulationRunResponse {
  return {
    number: run.number,
    status: run.status,
    ended_by: run.endedBy,
    transcript: run.transcript,
    checks: run.checks.map(toCheckResult),
    error: run.error && wordsOf(run.error),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

function toCheckResult({ passed, reason }: CheckOutcome, check: number): CheckResultResponse {
  return { check, passed, reason: wordsOf(reason) };
}

function wordsOf(reason: Reason): string {
  if ('words' in reason) return reason.words;
  // Kept by an earlier version, perhaps, that had a text more.
  return isTextKey(reason.key) ? say(reason.key, reason.params) : reason.key;
}
