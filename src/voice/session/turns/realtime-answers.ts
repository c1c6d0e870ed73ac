import { UnansweredError } from '../../../providers/speech/speech-error.js';
import type { ActiveAgent } from '../../agent/active-agent.js';
import { SpeechFailed } from '../../agent/speech-failed.error.js';
import type { AgentTurn } from '../state/agent-turn.js';
import { hasNothingToSay, isBusy } from '../state/agent-turn-states.js';
import type { SessionReports } from '../state/session-reports.js';

/** Follows the answers of a realtime model, which the engine does not announce. Without such a model it does nothing. */
export class RealtimeAnswers {
  constructor(
    private readonly turn: AgentTurn,
    private readonly agent: ActiveAgent,
    private readonly reports: SessionReports,
  ) {}

  /** The model is asked to speak. */
  requested(): void {
    if (this.agent.speech.realtime) this.turn.dispatch('reply-due');
  }

  /** The model reports that it could not do something, which may have been its answer. */
  failed(error: unknown): void {
    this.turn.dispatch('model-failed');
    this.reports.error(error);
  }

  /** A speech is over, also one without a sound: the model has nothing to say to a noise. */
  speechEnded(): void {
    if (this.agent.speech.realtime && this.turn.is(hasNothingToSay)) this.turn.dispatch('reply-over');
  }

  /** The model is gone. What it owed is due as soon as another one has taken its place. */
  lost(error: unknown): void {
    const { turn, reports } = this;
    const customerSpoke = turn.state.customer === 'speaking';
    const isUnanswered = error instanceof SpeechFailed && error.cause instanceof UnansweredError;
    reports.error(error);
    if (customerSpoke) reports.customer('silent');
    turn.dispatch('model-lost');
    if (isUnanswered || customerSpoke || turn.is(isBusy)) turn.dispatch('model-asked');
    if (turn.state.model === 'asked') turn.dispatch('reply-due');
  }
}
