import { setImmediate } from 'node:timers/promises';
import type { PersonOnCall, PersonVoice } from '../../runtime/call/session/person-on-call.js';
import type { TranscriptTurn } from '../../runtime/call/session/call-setup.js';
import type { ActiveAgent } from '../agent/active-agent.js';
import type { ActiveAgentParts } from '../agent/speech-services.js';
import type { VoiceLine } from '../line/voice-line.js';
import type { EngineSession } from './engine/engine-session.js';
import type { SpeechOutput } from './speech-output.js';
import type { AgentTurn } from './state/agent-turn.js';
import { isOver, isTakenOver } from './state/agent-turn-states.js';
import type { ReplyRequests } from './turns/reply-requests.js';
import type { TranscriptWriter } from './turns/transcript-writer.js';
import { Takeover, type TakeoverHost } from './takeover/takeover.js';

/** Lets people speak to the customer in place of the assistant, one after the other. */
export class Takeovers {
  private current: Takeover | null = null;

  constructor(
    private readonly turn: AgentTurn,
    private readonly agent: ActiveAgent,
    private readonly engine: EngineSession,
    private readonly output: SpeechOutput,
    private readonly replies: ReplyRequests,
    private readonly transcript: TranscriptWriter,
    private readonly parts: Pick<ActiveAgentParts, 'openRecognizer'>,
    private readonly host: Pick<TakeoverHost, 'elapsedMs' | 'onError'>,
  ) {}

  /** The assistant is silent with the next frame. */
  begin(person: PersonOnCall, line: VoiceLine): PersonVoice {
    const { agent, parts, turn, transcript } = this;
    void this.current?.end();
    turn.dispatch('person-took-over');
    this.replies.leaveToPerson();
    this.output.drop();
    const { openRecognizer } = parts;
    const takeover = new Takeover(person, line, transcript, {
      ...this.host,
      openRecognizer: openRecognizer ? () => openRecognizer(agent.voice) : null,
      isCustomerUnheard: agent.speech.realtime !== null,
    });
    this.current = takeover;
    void this.keepPending(takeover);
    return takeover.voice;
  }

  /** Words of the customer of which the engine makes no message. */
  customerSaid(turn: TranscriptTurn | null): void {
    this.current?.customerSaid(turn);
  }

  /** As `AssistantSession.handBack` says. */
  async handBack(isAnswerOwed: () => boolean): Promise<void> {
    const { agent, current, engine, turn } = this;
    if (!current) return;
    const said = await current.end();
    if (this.current !== current) return;
    this.current = null;
    await agent.remember(said, engine.current?.history ?? null);
    turn.dispatch('person-left');
    if (!turn.is(isOver)) this.replies.resumeAfterTakeover(isAnswerOwed());
  }

  /** Nothing is handed back: the call is over, or another party has the customer. */
  async end(): Promise<void> {
    const { current } = this;
    this.current = null;
    await current?.end();
  }

  /** What the assistant was about to answer. The engine makes a message of it where it has begun to ask the model. */
  private async keepPending(takeover: Takeover): Promise<void> {
    await setImmediate();
    await setImmediate();
    if (this.current === takeover && this.turn.is(isTakenOver))
      takeover.customerSaid(this.transcript.keepUnanswered());
  }
}
