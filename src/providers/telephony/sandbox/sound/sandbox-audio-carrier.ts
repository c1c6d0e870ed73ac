import { Logger } from '@nestjs/common';
import { resampled, type AudioLine, type CallAudio } from '@prosa/audio';
import { type Clock, SystemClock } from '#src/common/time/clock.js';
import { CallCarrier } from '../../call-carrier.js';
import type { CallCarrierCapabilities } from '../../call/call-capabilities.js';
import type { CallEvent, CarrierCall } from '../../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../../call/call-placing.js';
import type { ForwardCall, InboundOffer, RejectReason } from '../../call/incoming-calls.js';
import type { CallMedia, TransferCall } from '../../call/call-line.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import { LineClock } from '../../line-clock.js';
import { SandboxCallCarrier, type SandboxCallCarrierOptions } from '../sandbox-call-carrier.js';
import { NoJournal } from '../sandbox-journal.js';
import { languageOf, type SandboxPersona } from '../sandbox-persona.js';
import { AnsweringMachine } from './answering-machine.js';
import type { RemoteParty } from './remote-party.js';
import { Person } from './person.js';
import type { PersonaVoice } from './persona-voice.js';
import { SANDBOX_RATE_HZ, SandboxLeg } from './sandbox-leg.js';

export interface SandboxAudioCarrierOptions extends Pick<SandboxCallCarrierOptions, 'persona'> {
  readonly voice: PersonaVoice;
  /** Of all that is no sound: how long it rings, and how long a call lasts. Real time, but for tests without patience. */
  readonly clock?: Clock;
}

/**
 * The sandbox with audio. It places no real calls; numbers mean the same as for SandboxCallCarrier. People at the far
 * end speak, and listen to the audio of the line. A call lives in the process that placed or accepted it, in real
 * time.
 */
export class SandboxAudioCarrier extends CallCarrier {
  readonly name = 'sandbox';
  readonly capabilities: CallCarrierCapabilities;
  readonly media: CallMedia;
  private readonly logger = new Logger(SandboxAudioCarrier.name);
  private readonly calls: SandboxCallCarrier;
  private readonly legs = new Map<string, SandboxLeg>();
  private readonly voice: PersonaVoice;
  private readonly lineClock = new LineClock();

  constructor({ voice, clock = new SystemClock(), persona }: SandboxAudioCarrierOptions) {
    super();
    this.voice = voice;
    this.calls = new SandboxCallCarrier({
      clock,
      journal: new NoJournal(),
      knowsAllDials: false,
      inSound: true,
      ...(persona && { persona }),
    });
    this.capabilities = {
      ...this.calls.capabilities,
      inBandDigits: true,
      machineDetection: false,
      reattachable: false,
      livesInProcess: true,
    };
    const audio: AudioLine = { open: (callId, signal) => this.open(callId, signal) };
    this.media = { audio };
  }

  async place(request: PlaceCall): Promise<PlacedCall> {
    const placed = await this.calls.place(request);
    if (!placed.repeated) this.connect(placed.callId, request.to);
    return placed;
  }

  findCall(key: string): Promise<CallLookup> {
    return this.calls.findCall(key);
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    return this.calls.watch(callId, signal);
  }

  hangUp(callId: string): Promise<void> {
    return this.calls.hangUp(callId);
  }

  async transfer(callId: string, transfer: TransferCall): Promise<void> {
    await this.calls.transfer(callId, transfer);
    const leg = this.legs.get(callId);
    if (leg) leg.isAway = true;
  }

  sendDigits(callId: string, digits: string): Promise<void> {
    return this.calls.sendDigits(callId, digits);
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return this.calls.inboundOffers(signal);
  }

  accept(callId: string): Promise<void> {
    return this.calls.accept(callId);
  }

  /** Nothing of the connection is heard here. */
  override async forward(callId: string, forward: ForwardCall): Promise<void> {
    await this.calls.forward(callId, forward);
    const leg = this.legs.get(callId);
    if (leg) leg.isAway = true;
  }

  reject(callId: string, reason: RejectReason): Promise<void> {
    return this.calls.reject(callId, reason);
  }

  /** Simulates a call to one of the platform's numbers. Returns the id of the call. */
  callIn(from: string, to: string): string {
    const callId = this.calls.callIn(from, to);
    this.connect(callId, from);
    return callId;
  }

  async close(): Promise<void> {
    for (const leg of this.legs.values()) leg.end();
    this.legs.clear();
    await this.calls.close();
  }

  private async open(callId: string, signal: AbortSignal): Promise<CallAudio> {
    const { progress } = await this.stateOf(callId);
    const leg = this.legs.get(callId);
    if (progress === 'ended' || !leg) throw new CallCarrierError('call-over', 'no');
    if (progress !== 'answered') throw new CallCarrierError('not-answered', 'no');
    return leg.open(signal);
  }

  private async stateOf(callId: string): Promise<CarrierCall> {
    for await (const event of this.calls.watch(callId)) if (event.type === 'state') return event.call;
    throw new CallCarrierError('unavailable', 'no');
  }

  /** Creates the remote party of a call that has just begun. */
  private connect(callId: string, customer: string): void {
    const leg = new SandboxLeg(this.farEnd(callId, languageOf(customer)), this.lineClock);
    this.legs.set(callId, leg);
    void this.follow(callId, leg);
  }

  private farEnd(callId: string, language: string): RemoteParty {
    const persona = this.calls.farEndOf(callId);
    // Their lines are made while it rings, so that no call waits for them.
    for (const line of linesOf(persona)) void this.lineOf(line, language);
    const setup = {
      sampleRateHz: SANDBOX_RATE_HZ,
      say: (text: string) => this.lineOf(text, language),
      onHangUp: () => this.calls.leave(callId),
    };
    return persona.answers === 'machine'
      ? new AnsweringMachine(setup, persona.opening)
      : new Person(setup, persona);
  }

  /** A line that cannot be spoken is silence: the other side will ask, or end the call. */
  private async lineOf(text: string, language: string): Promise<Int16Array> {
    try {
      const { samples, sampleRateHz } = await this.voice.speak(text, language);
      return resampled(samples, sampleRateHz, SANDBOX_RATE_HZ);
    } catch (err) {
      this.logger.warn({ msg: 'The remote party of a sandbox call could not speak', err });
      return new Int16Array(0);
    }
  }

  private async follow(callId: string, leg: SandboxLeg): Promise<void> {
    for await (const event of this.calls.watch(callId)) {
      if (event.type === 'answered') leg.start();
      if (event.type === 'transfer') leg.isAway = event.outcome === 'answered';
    }
    leg.end();
    this.legs.delete(callId);
  }
}

function linesOf({ opening, replies, nudge }: SandboxPersona): string[] {
  return [opening, ...replies.map(({ say }) => say), nudge].filter((line) => typeof line === 'string');
}
