import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { LimitsConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import {
  AssistantPromptsService,
  type PromptVersion,
} from '../assistants/prompts/assistant-prompts.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { BeginSimulationRequest } from './dto/simulation.request.js';
import { SimulationWakeUpsService } from './running/simulation-wake-ups.service.js';
import type { Scenario } from './scenario.js';
import type { SimulationRun } from './simulation-run.entity.js';
import { SimulationAllowanceService } from './simulation-allowance.service.js';
import type { Simulation } from './simulation.entity.js';
import { SimulationNotFoundError, TooManySimulationsError } from './simulations.errors.js';
import { simulationText } from './simulations.texts.js';
import { type NewSimulation, SimulationsRepository, type Totals } from './simulations.repository.js';

/** What an account keeps; older ones that are over give way to new ones. */
const KEPT = 200;
const DEFAULT_RUNS = 1;
const DEFAULT_MAX_TURNS = 10;
/** Each is a question to a model, in each run. */
const MAX_JUDGES = 10;

/** A simulation with its progress. */
export interface CountedSimulation {
  readonly simulation: Simulation;
  readonly totals: Totals;
}

/** The same with each of its conversations. */
export interface SimulationDetails extends CountedSimulation {
  readonly runs: readonly SimulationRun[];
}

/** Conversations of an assistant with a simulated customer, and the checks of them. */
@Injectable()
export class SimulationsService {
  constructor(
    private readonly simulations: SimulationsRepository,
    private readonly prompts: AssistantPromptsService,
    private readonly accounts: AccountsService,
    private readonly allowance: SimulationAllowanceService,
    private readonly wakeUps: SimulationWakeUpsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Begins a simulation of an assistant.
   *
   * @throws AssistantNotFoundError | ValidationFailedError | TooManySimulationsError | SimulationAllowanceError
   */
  async begin(
    userId: number,
    assistantId: number,
    request: BeginSimulationRequest,
  ): Promise<SimulationDetails> {
    const { systemPrompt, id: promptVersionId } = await this.promptOf(userId, assistantId, request);
    const simulation: NewSimulation = {
      userId,
      assistantId,
      name: request.name ?? null,
      systemPrompt,
      promptVersionId,
      scenario: scenarioOf(request),
      runs: request.runs ?? DEFAULT_RUNS,
    };
    const id = await this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(simulation, tx),
        referenceOf: String,
        recall: (reference) => Promise.resolve(Number(reference)),
      }),
    );
    await this.wakeUps.wake(id);
    return this.get(userId, id);
  }

  /** @throws AssistantNotFoundError */
  async page(userId: number, assistantId: number, request: PageRequest): Promise<PageOf<CountedSimulation>> {
    await this.prompts.current(userId, assistantId);
    const { rows, total } = await this.simulations.pageOf(userId, assistantId, request);
    const totals = await this.simulations.totalsOf(
      userId,
      rows.map(({ id }) => id),
    );
    return {
      rows: rows.map((simulation) => ({ simulation, totals: totals.get(simulation.id) ?? NOTHING })),
      total,
    };
  }

  /** @throws SimulationNotFoundError */
  async get(userId: number, id: number): Promise<SimulationDetails> {
    const simulation = (await this.simulations.find(userId, id)) ?? SimulationNotFoundError.throw();
    const [totals, runs] = await Promise.all([
      this.simulations.totalsOf(userId, [id]),
      this.simulations.runsOf(userId, id),
    ]);
    return { simulation, totals: totals.get(id) ?? NOTHING, runs };
  }

  /** Deletes a simulation; one that is under way stops. @throws SimulationNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.simulations.delete(userId, id))) throw new SimulationNotFoundError();
  }

  private async promptOf(
    userId: number,
    assistantId: number,
    { prompt, prompt_version_id: versionId }: BeginSimulationRequest,
  ): Promise<PromptVersion> {
    const current = await this.prompts.current(userId, assistantId);
    if (versionId === undefined) return prompt === undefined ? current : { systemPrompt: prompt, id: null };
    if (prompt !== undefined)
      throw ValidationFailedError.of('prompt', simulationText('simulations.one_prompt'));
    const version = await this.prompts.find(userId, assistantId, versionId);
    if (!version) throw ValidationFailedError.of('prompt_version_id', 'validation.exists');
    return version;
  }

  private async add(simulation: NewSimulation, tx: Tx): Promise<number> {
    const { userId } = simulation;
    // One after another, so that two do not count each other as not there.
    await this.accounts.lockLimits(userId, tx);
    const { enabled, simulationsPerAccount: max } = this.limits;
    if (enabled && (await this.simulations.countUnderWay(userId, tx)) >= max)
      throw new TooManySimulationsError(max);
    await this.allowance.takeRuns(userId, simulation.runs, tx);
    await this.simulations.deleteBeyond(userId, KEPT - 1, tx);
    return this.simulations.add(simulation, tx);
  }
}

const NOTHING: Totals = {
  pending: 0,
  passed: 0,
  failed: 0,
  errors: 0,
  inputTokens: null,
  outputTokens: null,
};

/** @throws ValidationFailedError when a tool is to answer something else than an object, and for checks that cannot be made */
function scenarioOf(request: BeginSimulationRequest): Scenario {
  const { customer, checks, variables = {}, tools = 'mock', mock_results: results = {} } = request;
  const wrong = Object.entries(results).find(([, result]) => !isObject(result));
  if (wrong)
    throw ValidationFailedError.of(`mock_results.${wrong[0]}`, simulationText('simulations.mock_result'));
  requireCheckable(checks);
  return {
    customer,
    checks,
    max_turns: request.max_turns ?? DEFAULT_MAX_TURNS,
    variables,
    tools,
    mock_results: results as Scenario['mock_results'],
  };
}

function requireCheckable(checks: Scenario['checks']): void {
  if (checks.filter(({ type }) => type === 'judge').length > MAX_JUDGES)
    throw ValidationFailedError.of('checks', simulationText('simulations.judges'), { max: MAX_JUDGES });
  const at = checks.findIndex((check) => check.type === 'extracts' && !isComparable(check.values));
  if (at !== -1) throw ValidationFailedError.of(`checks.${at}.values`, simulationText('simulations.values'));
}

/** An evaluation has single values, and a check without any would hold always. */
function isComparable(values: Readonly<Record<string, unknown>>): boolean {
  const all = Object.values(values);
  return all.length > 0 && all.every((value) => value === null || typeof value !== 'object');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
