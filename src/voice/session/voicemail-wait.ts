import type { VoiceLine } from '../line/voice-line.js';
import { awaitRecording } from '../machine/voicemail-recording.js';
import type { AgentTurn } from './state/agent-turn.js';

/** Waits for the moment to leave a message on an answering machine; a second wait ends the first one. */
export class VoicemailWait {
  private waiting: AbortController | null = null;

  constructor(
    private readonly turn: AgentTurn,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param isRecording the machine has beeped already
   * @returns false when the wait was cancelled
   */
  async begin(line: VoiceLine | null, isRecording: boolean): Promise<boolean> {
    this.waiting?.abort();
    const waiting = new AbortController();
    this.waiting = waiting;
    this.turn.dispatch('machine-answered');
    if (!line || isRecording) return true;
    const listener = {
      awaitBeep: (onBeep: () => void) => line.awaitBeep(onBeep),
      isSpeaking: () => this.turn.state.customer === 'speaking',
    };
    await awaitRecording(listener, AbortSignal.any([this.signal, waiting.signal]));
    return !waiting.signal.aborted;
  }

  /** The answerer turned out to be no machine. */
  cancel(): void {
    this.waiting?.abort();
    this.turn.dispatch('person-answered');
  }
}
