import { FRAME_MS } from '@prosa/audio';
import type { SpeechChange, SpeechMeter } from './speech-meter.js';

/** So much of the assistant's words can be reacted to. */
const HEARD_MS = 800;
/** Words this soon after the assistant's last sound began over them. */
const AFTER_MS = 160;
/** Longer utterances are no replies: recordings go on in their pauses as well. */
const LONGEST_REPLY_MS = 8_000;
const SHORTEST_REPLY_MS = 160;
/** People who begin to speak over the assistant stop sooner, or the assistant does. */
const TALKS_ON_MS = 3_000;
/** The far end's own pause, not the end of what it says. */
const BREATH_MS = 400;

/** Measures how the far end takes the assistant's words: whether it replies, talks on over them, or is silent after them. */
export class ReactionMeter {
  /** Replies that are over: words after words of the assistant, and then a pause. */
  replies = 0;
  /** It has begun to speak over the assistant, and has gone on. */
  hasTalkedOver = false;
  /** Words that may become a reply. */
  isReplying = false;
  /** How long both have been silent after words of the assistant that nothing was said to. */
  silentMs = 0;
  private utterances = 0;
  private assistantMs = 0;
  private sinceAssistantMs = Infinity;
  private isOver = false;

  constructor(private readonly speech: SpeechMeter) {}

  /** @param change what the meter of speech made of the same frame */
  hear(change: SpeechChange, assistantSpeaks: boolean): void {
    this.sinceAssistantMs = assistantSpeaks ? 0 : this.sinceAssistantMs + FRAME_MS;
    if (change === 'begins') this.begin(assistantSpeaks);
    else if (change === 'ends') this.end();
    else if (change === 'noise') this.isReplying = this.isOver = false;
    this.hasTalkedOver ||= this.isOver && this.speech.isSpeaking && this.speech.utteranceMs >= TALKS_ON_MS;
    if (this.speech.quietMs < BREATH_MS) this.silentMs = 0;
    else if (assistantSpeaks) this.assistantMs += FRAME_MS;
    else if (this.assistantMs >= HEARD_MS) this.silentMs += FRAME_MS;
  }

  private begin(assistantSpeaks: boolean): void {
    const hasHeard = this.assistantMs >= HEARD_MS;
    // A far end that has said nothing before may be a recording that begins late.
    this.isReplying = this.utterances > 0 && hasHeard && this.sinceAssistantMs >= AFTER_MS;
    this.isOver = hasHeard && assistantSpeaks;
    this.assistantMs = this.silentMs = 0;
  }

  private end(): void {
    const { utteranceMs } = this.speech;
    this.utterances++;
    if (this.isReplying && utteranceMs >= SHORTEST_REPLY_MS && utteranceMs <= LONGEST_REPLY_MS)
      this.replies++;
    this.isReplying = this.isOver = false;
  }
}
