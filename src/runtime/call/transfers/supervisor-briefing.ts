import type { Clock } from '../../../common/time/clock.js';
import type { ChatModel } from '../../../providers/llm/chat-model.js';
import type { TransferOutcome } from '../../../providers/telephony/call/carrier-call.js';
import type { CompiledAssistant } from '../../compile-assistant.js';
import { objectOutcome, type RuntimeTool } from '../../tools/tool.js';
import { howToDecide } from './briefing-phrases.js';
import type { CallControls } from '../../tools/call-controls.js';
import type { ModelUsage } from '../session/call-setup.js';
import { waitOn } from '../state/call-termination.js';
import type { SecondLeg } from './second-leg.js';
import type {
  AssistantSession,
  AssistantSessionFactory,
  SessionListener,
  SessionSummary,
} from '../session/assistant-session.js';
import type { VoiceSettings } from '../settings/voice-settings.js';

/** From the answer; then the customer has waited long enough. */
const LONGEST_TALK_MS = 120_000;
/** Silence after which it is said once more how to decide, and then after which the briefing ends. */
const SILENCE_MS = 12_000;
const TAKE_KEY = '1';
const DECLINE_KEY = '2';
const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };

export interface SupervisorBriefingSetup {
  readonly leg: SecondLeg;
  /** What they hear first; it may not be ready when they answer. */
  readonly briefing: Promise<string>;
  readonly sessions: AssistantSessionFactory;
  /** The account whose call it is. */
  readonly userId: number;
  readonly chatModel: ChatModel;
  /** That of the call; its model and its voice brief. */
  readonly assistant: CompiledAssistant;
  readonly voice: VoiceSettings;
  readonly controls: CallControls;
  readonly clock: Clock;
  /** Fires when the customer has gone. */
  readonly signal: AbortSignal;
  onUsage(usage: ModelUsage): void;
  onError(error: unknown): void;
}

/** Briefs the person who has answered a second leg, in their ear alone, until they take the call or decline it. */
export class SupervisorBriefing {
  private readonly decided = new AbortController();
  private readonly startedMs: number;
  private decision: TransferOutcome = 'declined';
  private lastTurnMs = 0;
  private readonly speaking = new Set<'us' | 'them'>();
  private session: AssistantSession | null = null;
  private isHeld = false;
  private closing: Promise<void> = Promise.resolve();

  constructor(private readonly setup: SupervisorBriefingSetup) {
    this.startedMs = setup.clock.nowMs();
  }

  /**
   * Returns as soon as they have decided, hung up, or waited too long, which counts as declined; the leg stays open.
   *
   * @throws CallCarrierError when their line cannot be used
   */
  async run(): Promise<TransferOutcome> {
    const { setup, decided } = this;
    const cancel = setup.clock.after(LONGEST_TALK_MS, () => this.decide('declined'));
    const over = AbortSignal.any([decided.signal, setup.leg.ended, setup.signal]);
    const session = await this.makeSession(over);
    try {
      await session.start(this.listener);
      this.session = session;
      if (this.isHeld) session.suspend();
      setup.leg.onKeys = (digits) => this.pressed(digits);
      await this.brief(session, over);
    } finally {
      cancel();
      decided.abort();
      this.session = null;
      setup.leg.onKeys = () => {};
      this.closing = session.close().then((summary) => this.count(summary));
    }
    return this.decision;
  }

  /** They have put us on hold, or have resumed: the briefing waits, as does the silence that is taken for an answer. */
  lineIsHeld(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    this.lastTurnMs = this.elapsedMs;
    if (isHeld) this.session?.suspend();
    else this.session?.resume();
  }

  /** Returns when nothing of the session is left, which takes a moment after the decision. */
  closed(): Promise<void> {
    return this.closing;
  }

  private makeSession(signal: AbortSignal): Promise<AssistantSession> {
    const { leg, sessions, userId, chatModel, voice, controls } = this.setup;
    return sessions.make({
      callId: leg.id,
      userId,
      media: leg.media,
      chatModel,
      assistant: this.briefingAssistant(),
      variables: {},
      toolVariables: {},
      controls,
      history: [],
      elapsedMs: () => this.elapsedMs,
      signal,
      // The colleague hears no simulated office.
      voice: { ...voice, ambience: null },
      recordAs: null,
      inBandDigits: false,
      detectsMachines: true,
    });
  }

  private async brief(session: AssistantSession, over: AbortSignal): Promise<void> {
    const { voice, briefing, clock } = this.setup;
    const how = howToDecide(voice.languages[0]?.iso2 ?? '');
    const words = await Promise.race([briefing, aborted(over)]);
    if (words === null) return;
    await this.say(session, `${words} ${how}`.trim());
    for (let reminded = false; !over.aborted;) {
      const isCounting = this.speaking.size === 0 && !this.isHeld;
      const silentMs = isCounting ? this.elapsedMs - this.lastTurnMs : 0;
      if (silentMs < SILENCE_MS) {
        await waitOn(clock, SILENCE_MS - silentMs, over);
        continue;
      }
      if (reminded) return;
      reminded = true;
      await this.say(session, how);
    }
  }

  private async say(session: AssistantSession, words: string): Promise<void> {
    await session.say(words);
    this.lastTurnMs = this.elapsedMs;
  }

  private get elapsedMs(): number {
    return this.setup.clock.nowMs() - this.startedMs;
  }

  private pressed(digits: string): void {
    for (const digit of digits) {
      if (digit === TAKE_KEY) this.decide('answered');
      if (digit === DECLINE_KEY) this.decide('declined');
    }
  }

  /** Only the first decision counts. */
  private decide(decision: TransferOutcome): void {
    if (this.decided.signal.aborted) return;
    this.decision = decision;
    this.decided.abort();
  }

  private briefingAssistant(): CompiledAssistant {
    const { id, name, model, fallbackModel, temperature } = this.setup.assistant;
    const tools = [
      decisionTool(
        'take_call',
        'Connects you with the customer: the colleague takes the call, accepts, says yes. Aceitar, atender: sim, aceito, pode passar.',
        () => this.decide('answered'),
      ),
      decisionTool(
        'decline_call',
        'Sends the customer back: the colleague declines, is not available, says no. Recusar: não, agora não, não posso.',
        () => this.decide('declined'),
      ),
    ];
    return {
      id,
      name,
      model,
      fallbackModel,
      temperature,
      tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
      knowledge: null,
      openVariables: new Set(),
      variablesOf: () => ({}),
      toolVariablesOf: () => ({}),
      instructions: () => INSTRUCTIONS,
      greeting: () => '',
    };
  }

  private get listener(): SessionListener {
    const { setup } = this;
    return {
      onTurn: () => (this.lastTurnMs = this.elapsedMs),
      onCustomer: (state) => this.speaks('them', state === 'speaking'),
      onKeys: (digits) => this.pressed(digits),
      onAssistant: (state) => this.speaks('us', state === 'busy'),
      onGoodbye: () => {},
      // A customer is connected neither to a mailbox nor to a menu.
      onFarEnd: (farEnd) => {
        if (farEnd === 'machine' || farEnd === 'menu') this.decide('declined');
      },
      onFunctionCall: () => {},
      onMetrics: () => {},
      onError: (error) => setup.onError(error),
      onFailure: (error) => {
        setup.onError(error);
        this.decide('failed');
      },
    };
  }

  private speaks(who: 'us' | 'them', isSpeaking: boolean): void {
    if (isSpeaking) this.speaking.add(who);
    else this.speaking.delete(who);
    this.lastTurnMs = this.elapsedMs;
  }

  private count({ modelUsage }: SessionSummary): void {
    for (const used of modelUsage) this.setup.onUsage(used);
  }
}

const INSTRUCTIONS =
  'You are on a phone call with a colleague, whom you ask to take over a call from a customer who is on hold. The customer ' +
  'does not hear you. You have just briefed your colleague; answer their questions from that briefing alone, in its ' +
  'language and in short sentences. As soon as they want the call, use take_call; when they do not, use decline_call. ' +
  'Never decide for them.';

function decisionTool(name: string, description: string, decide: () => void): RuntimeTool {
  return {
    definition: { name, description, parameters: NO_PARAMETERS },
    run: () => {
      decide();
      return Promise.resolve(objectOutcome({ done: true }));
    },
  };
}

async function aborted(signal: AbortSignal): Promise<null> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  return null;
}
