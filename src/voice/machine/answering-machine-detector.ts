import { FRAME_MS, rmsOf } from '@prosa/audio';
import type { RemoteParty, CallScreener } from '../../runtime/call/session/remote-party.js';
import { MachineTones } from './machine-tones.js';
import { signsOf, type WordSigns } from './machine-words.js';
import { ReactionMeter } from './reaction-meter.js';
import { SpeechMeter } from './speech-meter.js';

/** Nothing is decided later than this: a far end that talks by then is talked with. */
const WATCHED_MS = 45_000;
/** Behind a menu or a screening a mailbox may answer, long after. */
const WATCHED_BEHIND_MS = 120_000;
/** What a person says who answers and waits. */
const HELLO_MS = 2_600;
/** Speech without a pause of a second. Receptionists talk for up to nine seconds; people hardly talk for as long as the last one. */
const MONOLOGUES_MS = [5_500, 12_000];
/** A tone that comes before anything was said is the network's; a far end that has said nothing may not have answered. */
const LEAST_WORDS_MS = 240;
/** A beep follows the words of its machine so soon, and is followed by silence. */
const BEEP_AFTER_WORDS_MS = 8_000;
const BEEP_PROVEN_MS = 1_000;
const SILENCE_AFTER_BEEP_MS = 3_000;
/** Silence of both after words of the assistant. */
const NO_REACTION_MS = [6_000, 10_000];

/** How much each sign counts. A machine has `MACHINE_FROM` more than a person; a person has more than a machine. */
const WEIGHTS = {
  recording: 5,
  toneOfMachine: 5,
  beep: 3,
  /** A beep of a pitch that networks use. */
  networkBeep: 1,
  silenceAfterBeep: 1,
  ambiguousWords: 1,
  monologue: 1,
  noReaction: [2, 3],
  hello: 1,
  personWords: 2,
  reply: 3,
  /** Words after words of the assistant, before they are over. */
  beginningReply: 1,
};
/** Of ambiguous words; of a monologue and going on over the assistant; and of these together, which never decide alone. */
const MOST = { words: 2, monologue: 2, together: 3 };
const MACHINE_FROM = 4;
/**
 * What the words of a menu and of screening have to count more than a person. A menu may end the call: one phrase of it counts where
 * nothing has spoken for a person, and a menu that names more keys counts twice. Screening is a hint to the model alone.
 */
const GATEKEEPER = { weight: 4, from: { menu: 4, screening: 3 } };
/** With so much more evidence of a person the result is final. */
const CERTAIN_PERSON = 5;

/**
 * Decides from the sound and the words of an outbound call who has answered. Each sign of a machine or of a person
 * has a weight (`WEIGHTS`). No single sign that a person may give as well is enough: in doubt it is a person. It
 * receives every frame from the answer on. A decision may change as more is heard: greetings begin like people, and
 * long recordings may turn out to be menus. Only a machine that is going to record, and a person who has replied more
 * than once, are final.
 */
export class AnsweringMachineDetector {
  private readonly tones: MachineTones;
  private readonly speech = new SpeechMeter();
  private readonly reactions = new ReactionMeter(this.speech);
  private decided: RemoteParty | null = null;
  private isFinal = false;
  private elapsedMs = 0;
  private watchedMs = WATCHED_MS;
  private hasSaidHello = false;
  private hasMachineTone = false;
  private longestMs = 0;
  private beep: { readonly weight: number; silentMs: number } | null = null;
  /** What was understood since the assistant has last been replied to. */
  private finalWords = '';
  private recording: WordSigns['recording'] = null;
  private ambiguous = 0;
  private hasPersonWords = false;

  constructor(sampleRateHz: number) {
    this.tones = new MachineTones(sampleRateHz);
  }

  /** Whether there is anything left to be decided. */
  get isWatching(): boolean {
    return !this.isFinal && this.elapsedMs < this.watchedMs;
  }

  /** Whether its beep has sounded, and nothing was said since: it records. */
  get hasBeeped(): boolean {
    return this.decided === 'machine' && this.beep !== null && !this.speech.isSpeaking;
  }

  /**
   * @param assistantSpeaks whether the far end hears the assistant in this frame
   * @returns what this frame makes certain; null for no news
   */
  hear(frame: Int16Array, assistantSpeaks = false): RemoteParty | null {
    if (!this.isWatching) return null;
    this.elapsedMs += FRAME_MS;
    // Behind a menu or a screening nothing but words is certain: those beep, and talk for long, themselves.
    if (this.isGatekept) return null;
    const tone = this.tones.hear(frame);
    const change = this.speech.hear(this.tones.isTone ? 0 : rmsOf(frame));
    this.reactions.hear(change, assistantSpeaks);
    if (tone === 'fax' || tone === 'information') this.hasMachineTone = true;
    else if (tone !== null) this.hearBeep(tone === 'beep' ? WEIGHTS.beep : WEIGHTS.networkBeep);
    else this.measure(change, assistantSpeaks);
    return this.weigh();
  }

  /**
   * Words of the far end.
   *
   * @param areFinal false while they are still being spoken: they are given again as they grow
   * @returns as `hear` does
   */
  words(text: string, areFinal = true): RemoteParty | null {
    if (!this.isWatching) return null;
    const heard = `${this.finalWords} ${text}`.trim();
    if (areFinal) this.finalWords = heard;
    const signs = signsOf(heard);
    const { gatekeeper } = signs;
    // A menu asks what one wants as people do.
    this.hasPersonWords = gatekeeper === null && (this.hasPersonWords || signs.isPerson);
    if (gatekeeper !== null && this.isCallScreener(gatekeeper, signs)) return this.meet(gatekeeper);
    // Menus speak of messages and mailboxes as well.
    if (signs.recording === 'recorder' || (signs.recording !== null && this.decided !== 'menu'))
      this.recording = signs.recording;
    this.ambiguous = Math.max(this.ambiguous, signs.ambiguous);
    if (this.isGatekept) return this.recording === null ? null : this.decideMachine();
    return this.weigh();
  }

  private get isGatekept(): boolean {
    return this.decided === 'menu' || this.decided === 'screening';
  }

  /** Mailboxes name keys as well, around their beep. */
  private isCallScreener(gatekeeper: CallScreener, { recording, isLongMenu }: WordSigns): boolean {
    if (recording === 'recorder') return false;
    if (gatekeeper === 'menu' && this.decided === 'machine' && this.beep !== null) return false;
    const weight = GATEKEEPER.weight * (isLongMenu ? 2 : 1);
    return this.isGatekept || weight - this.personWeight >= GATEKEEPER.from[gatekeeper];
  }

  private hearBeep(weight: number): void {
    const { spokenMs, quietMs } = this.speech;
    if (spokenMs < LEAST_WORDS_MS || quietMs > BEEP_AFTER_WORDS_MS) return;
    this.beep = { weight, silentMs: 0 };
  }

  private measure(change: ReturnType<SpeechMeter['hear']>, assistantSpeaks: boolean): void {
    const { speech, reactions } = this;
    // A machine that has beeped says nothing more.
    if (change === 'begins') this.beep = null;
    if (change === 'begins' && reactions.isReplying) this.finalWords = '';
    if (change === 'ends') {
      this.hasSaidHello ||= speech.spokenMs >= LEAST_WORDS_MS && speech.spokenMs <= HELLO_MS;
      this.longestMs = Math.max(this.longestMs, speech.utteranceMs);
    }
    if (this.beep && !assistantSpeaks) this.beep.silentMs += FRAME_MS;
  }

  private weigh(): RemoteParty | null {
    const { personWeight, machineWeight } = this;
    if (machineWeight - personWeight >= MACHINE_FROM) return this.decideMachine();
    // Once a machine was found, its message is being left.
    if (this.decided === 'machine' || personWeight <= machineWeight) return null;
    this.isFinal = personWeight - machineWeight >= CERTAIN_PERSON;
    return this.decide('human');
  }

  /** What was understood before spoke of a recording that the gatekeeper is. */
  private meet(gatekeeper: CallScreener): RemoteParty | null {
    this.recording = null;
    this.finalWords = '';
    return this.decide(gatekeeper);
  }

  private decideMachine(): RemoteParty | null {
    this.isFinal ||= this.recording === 'recorder';
    return this.decide('machine');
  }

  private decide(farEnd: RemoteParty): RemoteParty | null {
    if (this.decided === farEnd) return null;
    this.decided = farEnd;
    if (this.isGatekept) this.watchedMs = this.elapsedMs + WATCHED_BEHIND_MS;
    return farEnd;
  }

  private get personWeight(): number {
    const { replies, isReplying } = this.reactions;
    return (
      (this.hasSaidHello ? WEIGHTS.hello : 0) +
      (this.hasPersonWords && this.recording === null ? WEIGHTS.personWords : 0) +
      replies * WEIGHTS.reply +
      (isReplying ? WEIGHTS.beginningReply : 0)
    );
  }

  private get machineWeight(): number {
    const { recording, ambiguous, hasMachineTone } = this;
    const wordsWeight = recording === null ? Math.min(ambiguous, MOST.words) * WEIGHTS.ambiguousWords : 0;
    return (
      (recording === null ? 0 : WEIGHTS.recording) +
      (hasMachineTone ? WEIGHTS.toneOfMachine : 0) +
      Math.min(wordsWeight + this.monologueWeight, MOST.together) +
      this.beepWeight +
      this.silenceWeight
    );
  }

  private get monologueWeight(): number {
    const { speech, reactions } = this;
    // Later noise of the line cannot shorten an utterance that is not over.
    const longestMs = Math.max(this.longestMs, speech.isSpeaking ? speech.utteranceMs : 0);
    const steps = MONOLOGUES_MS.filter((ms) => longestMs >= ms).length + (reactions.hasTalkedOver ? 1 : 0);
    return Math.min(steps, MOST.monologue) * WEIGHTS.monologue;
  }

  private get beepWeight(): number {
    const { beep, speech } = this;
    if (!beep || speech.quietMs < BEEP_PROVEN_MS) return 0;
    return beep.weight + (beep.silentMs >= SILENCE_AFTER_BEEP_MS ? WEIGHTS.silenceAfterBeep : 0);
  }

  private get silenceWeight(): number {
    const { silentMs } = this.reactions;
    if (this.speech.spokenMs < LEAST_WORDS_MS) return 0;
    const steps = NO_REACTION_MS.filter((ms) => silentMs >= ms).length;
    return WEIGHTS.noReaction[steps - 1] ?? 0;
  }
}
