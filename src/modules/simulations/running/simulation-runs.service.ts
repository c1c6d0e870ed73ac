import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import { RetentionConfig } from '../../../config/config.js';
import { SessionLocks } from '../../../database/connections/session-locks.js';
import { Transactions } from '../../../database/transactions.js';
import { text } from '../../../i18n/catalogue.js';
import type { TokenUsage } from '../../../providers/llm/chat-model.js';
import { ModelError } from '../../../providers/llm/model-error.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { simulationText } from '../simulations.texts.js';
import { keptTranscript } from '../talk/kept-transcript.js';
import { type CheckedTalk, checkAll } from '../talk/model-checks.js';
import { simulateTalk } from '../talk/talk.js';
import { SimulationAllowanceError } from '../simulations.errors.js';
import { SimulationAllowanceService } from '../simulation-allowance.service.js';
import { SimulatedPartiesService } from './simulated-parties.service.js';
import { type BegunRun, type RunResult, SimulationRunsRepository } from './simulation-runs.repository.js';
import { SimulationWakeUpsService } from './simulation-wake-ups.service.js';
import { TokenCount } from './token-count.js';
import { runSimulationJob } from './run-simulation.job.js';
import { sweepSimulationsJob } from './sweep-simulations.job.js';

/** Begun so often without an end: by processes that died, or a model that does not answer. */
const MAX_ATTEMPTS = 5;
const MAX_MODEL_ATTEMPTS = 3;
const OLD_BATCH = 100;

/** The run is gone, another process has taken it over, or this one ends. */
class RunLostSignal extends Error {}

/**
 * Plays runs, each under a lock of its own. A process that dies frees its lock, and the run is played anew, unless it
 * has called real tools, which would be called again. The writes of a process that has lost its lock without knowing
 * do not count, as another process has begun the run once more.
 */
@Injectable()
export class SimulationRunsService implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(
    private readonly runs: SimulationRunsRepository,
    private readonly parties: SimulatedPartiesService,
    private readonly allowance: SimulationAllowanceService,
    private readonly wakeUps: SimulationWakeUpsService,
    private readonly locks: SessionLocks,
    private readonly transactions: Transactions,
    private readonly retention: RetentionConfig,
    private readonly logger: Logger,
  ) {}

  /** The next process plays running runs anew: a conversation may last longer than a shutdown. */
  onModuleDestroy(): void {
    this.stopping.abort(new Error('the process ends'));
  }

  /**
   * Plays a run to its end; does nothing when it is over, or is played elsewhere.
   *
   * @throws ModelError when the model does not answer, and there is another try
   */
  @Handles(runSimulationJob)
  async play({ runId }: PayloadOf<typeof runSimulationJob>): Promise<void> {
    await this.locks.tryWith('simulationRun', runId, () => this.playLocked(runId));
  }

  @Handles(sweepSimulationsJob)
  async sweep(): Promise<void> {
    await this.wakeUps.wakeForgotten();
    await this.runs.deleteOld(this.retention.simulationsMs, OLD_BATCH);
  }

  private async playLocked(runId: number): Promise<void> {
    const run = await this.runs.begin(runId);
    if (!run) return;
    const tokens = new TokenCount();
    try {
      await this.finish(run, await this.resultOf(run, tokens), tokens);
    } catch (error) {
      if (!(error instanceof RunLostSignal)) throw error;
      return;
    } finally {
      await this.allowance.noteTokens(run.userId, tokens.take());
    }
    await this.wakeUps.wake(run.simulationId);
  }

  private async resultOf(run: BegunRun, tokens: TokenCount): Promise<RunResult> {
    if (run.hasCalledTools) return brokenOff(text(simulationText('simulations.tools_called')));
    if (run.attempts > MAX_ATTEMPTS) return brokenOff(text(simulationText('simulations.gave_up')));
    let hasCalledTools = false;
    const beforeRealCall = async () => {
      if (!(await this.runs.noteToolCall(run))) throw new RunLostSignal();
      hasCalledTools = true;
    };
    try {
      return await this.converse(run, tokens, beforeRealCall);
    } catch (error) {
      if (this.stopping.signal.aborted) throw new RunLostSignal();
      if (error instanceof RunLostSignal) throw error;
      if (error instanceof SimulationAllowanceError) return brokenOff(error.text);
      if (!(error instanceof ModelError)) {
        this.logger.error('simulation broke off', { runId: run.id, err: error });
        throw error;
      }
      this.logger.warn('model failed in a simulation', { runId: run.id, code: error.code, err: error });
      if (error.retryable && !hasCalledTools && run.attempts < MAX_MODEL_ATTEMPTS) throw error;
      return brokenOff(text(simulationText('simulations.model_failed'), { reason: error.message }));
    }
  }

  private async converse(
    run: BegunRun,
    tokens: TokenCount,
    beforeRealCall: () => Promise<void>,
  ): Promise<RunResult> {
    const { checks, max_turns: maxTurns } = run.scenario;
    const onUsage = (usage: TokenUsage | null) => tokens.add(usage);
    const parties = await this.parties.of(run, onUsage, beforeRealCall);
    if (!parties) throw new RunLostSignal();
    const { examiner, ...talkers } = parties;
    await this.allowance.requireLeft(run.userId);
    const talk = await simulateTalk({
      ...talkers,
      maxTurns,
      signal: this.stopping.signal,
      onUsage,
      onToolError: (tool, err) => this.logger.error('tool failed', { tool, err }),
      onTurn: async (said) => {
        if (!(await this.runs.save(run, keptTranscript(said), tokens))) throw new RunLostSignal();
        await this.allowance.noteTokens(run.userId, tokens.take());
        await this.allowance.requireLeft(run.userId);
      },
    });
    const checked = await checkAll(checks, talk, {
      ...examiner,
      signal: () => AbortSignal.any([timeoutSignal(parties.turnTimeoutMs), this.stopping.signal]),
      onUsage,
      onError: (err) => this.logger.warn('simulation not judged', { runId: run.id, err }),
    });
    return { ...verdictOf(checked), endedBy: talk.endedBy, checks: checked.outcomes };
  }

  private finish(run: BegunRun, result: RunResult, tokens: TokenCount): Promise<void> {
    return this.transactions.run(async (tx) => {
      await this.runs.lockSimulation(run, tx);
      await this.runs.finish(run, result, tokens, tx);
      await this.runs.completeIfOver(run, tx);
    });
  }
}

function brokenOff(error: RunResult['error']): RunResult {
  return { status: 'error', endedBy: null, checks: [], error };
}

/** A failed check fails the run, even where a model could not decide other checks. */
function verdictOf({ outcomes, undecided }: CheckedTalk): Pick<RunResult, 'status' | 'error'> {
  const failed = outcomes.filter(({ passed }) => !passed).length;
  if (failed > undecided) return { status: 'failed', error: null };
  return undecided === 0
    ? { status: 'passed', error: null }
    : { status: 'error', error: text(simulationText('simulations.no_verdict')) };
}
