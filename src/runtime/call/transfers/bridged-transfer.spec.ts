import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import { NO_TOKENS } from '../../../common/figures/token-sum.js';
import type { AudioLine, CallAudio } from '@prosa/audio';
import type {
  CallEnd,
  CallEvent,
  CarrierCall,
  TransferOutcome,
} from '../../../providers/telephony/call/carrier-call.js';
import type { PlaceCall } from '../../../providers/telephony/call/call-placing.js';
import type { SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { EventQueue } from '../../../providers/telephony/event-queue.js';
import { BridgedTransfer, type BridgedTransferRequest } from './bridged-transfer.js';
import type { CallControls, WarmTransfer } from '../../tools/call-controls.js';
import { CallEndedError, CallTermination } from '../state/call-termination.js';
import { ModelUsageCount } from '../state/model-usage-count.js';
import type { AssistantSession, SessionListener, SessionSetup } from '../session/assistant-session.js';

const ANSWERED: CallEvent = { type: 'answered' };
const HOW = 'To take the call, press 1. To decline, press 2.';
const WARM: WarmTransfer = {
  kind: 'warm',
  to: '+5511987654307',
  from: '+551155500077',
  outboundPhoneId: 7,
  holdMessage: 'Please hold.',
  holdMusicVolume: 60,
  summaryInstructions: '',
  briefingOpening: 'Hello.',
  connectedMessage: 'You are connected.',
};

/** A line that second legs are placed on, and what happens on it as the test says. */
class LegLine implements SecondLegLine {
  readonly placed: PlaceCall[] = [];
  readonly keys: string[] = [];
  hangUps = 0;
  refuses: CallCarrierError | null = null;
  /** Placing takes until then. */
  turn: Promise<void> = Promise.resolve();
  /** Of the leg that was placed last. */
  unwanted: AbortSignal | undefined;
  readonly audio: CallAudio = {
    sampleRateHz: 8_000,
    heard: new EventQueue<Int16Array>(),
    send: () => {},
    clear: () => {},
  };
  readonly media: { readonly audio: AudioLine } = { audio: { open: async () => this.audio } };
  private readonly watchers: EventQueue<CallEvent>[] = [];

  async place(request: PlaceCall, signal?: AbortSignal) {
    if (this.refuses) throw this.refuses;
    this.unwanted = signal;
    await this.turn;
    this.placed.push(request);
    return { callId: 'leg', repeated: false };
  }

  watch(_callId: string, signal?: AbortSignal) {
    const events = new EventQueue<CallEvent>(signal);
    this.watchers.push(events);
    return events;
  }

  async hangUp(): Promise<void> {
    this.hangUps++;
    this.ends('hung-up');
  }

  async sendDigits(_callId: string, digits: string): Promise<void> {
    this.keys.push(digits);
  }

  happens(event: CallEvent): void {
    for (const events of this.watchers) events.push(event);
  }

  ends(outcome: CallEnd['outcome']): void {
    const end: CallEnd = { outcome, by: 'customer', reason: null, answeredMs: 0 };
    this.happens({ type: 'ended', call: { callId: 'leg', progress: 'ended', end } as CarrierCall });
    for (const events of this.watchers) events.end();
  }
}

/** Records what is said and done; the customer is silent unless the test says so. */
class WrittenTalk implements AssistantSession {
  readonly log: string[] = [];
  listener: SessionListener | null = null;
  farEnd: CallAudio | null = null;

  constructor(readonly setup: SessionSetup | null = null) {}

  async start(listener: SessionListener): Promise<void> {
    this.listener = listener;
  }

  async say(text: string) {
    this.log.push(text);
    return 'heard' as const;
  }

  async respond(): Promise<void> {}
  instruct(): void {}
  takeOver(): never {
    throw new Error('no person takes over');
  }
  async handBack(): Promise<void> {}
  async announce() {
    return true;
  }
  signalListener(): void {}
  whisper(): void {}
  hear(): void {}
  async spoken() {
    return 'heard' as const;
  }
  async sendKeys(): Promise<void> {}
  cut(): void {}

  hold(music: { readonly volume: number } | null): void {
    this.log.push(music ? `hold ${music.volume}` : 'back');
  }

  suspend(): void {
    this.log.push('suspended');
  }

  resume(): void {
    this.log.push('resumed');
  }

  join(farEnd: CallAudio): void {
    this.farEnd = farEnd;
    this.log.push('joined');
  }

  async close() {
    this.log.push('closed');
    return {
      modelUsage: [{ model: 'main', requests: 2, ...NO_TOKENS }],
      recording: null,
    };
  }
}

describe('BridgedTransfer', () => {
  let clock: VirtualClock;
  let line: LegLine;
  let customer: WrittenTalk;
  let supervisor: WrittenTalk | null;
  let termination: CallTermination;
  let usage: ModelUsageCount;
  let transfer: BridgedTransfer;

  beforeEach(() => {
    clock = new VirtualClock();
    line = new LegLine();
    customer = new WrittenTalk();
    supervisor = null;
    termination = new CallTermination(clock);
    usage = new ModelUsageCount();
    transfer = bridged({ secondLegs: new Map([[7, line]]) });
  });

  function bridged(call: { readonly secondLegs: ReadonlyMap<number, SecondLegLine> }): BridgedTransfer {
    const controls = {
      assistantPhone: '+551155500011',
      numbers: new Map([
        [7, '+551155500077'],
        [1, '+551155500011'],
      ]),
    } as unknown as CallControls;
    const sessions = {
      prepare: () => {},
      make: async (setup: SessionSetup) => (supervisor = new WrittenTalk(setup)),
    };
    return new BridgedTransfer({
      call: {
        ...call,
        assistant: { model: { code: 'main' }, fallbackModel: null, temperature: 0 },
        voice: { languages: [{ iso2: 'en', locale: 'en-US' }], ambience: { sound: 'office', volume: 1 } },
      } as never,
      deps: { sessions, clock, maxHoldMs: 300_000 } as never,
      termination,
      controls,
      usage,
      session: customer,
      onError: () => {},
    });
  }

  const request = (changes: Partial<BridgedTransferRequest> = {}): BridgedTransferRequest => ({
    id: 'call-1',
    transfer: WARM,
    from: '+551155500077',
    ringingTimeoutMs: 30_000,
    briefing: Promise.resolve('Hello. Ana is angry.'),
    ...changes,
  });

  /** To where the far end has answered, and hears the briefing. */
  async function briefed(): Promise<{ readonly outcome: Promise<TransferOutcome> }> {
    const outcome = transfer.connect(request());
    outcome.catch(() => undefined);
    await clock.pass(0);
    line.happens({ type: 'ringing' });
    line.happens(ANSWERED);
    await clock.pass(0);
    return { outcome };
  }

  it('calls from the configured number, with music for the customer, and briefs the person who answers', async () => {
    await briefed();
    expect(line.placed).toEqual([
      {
        key: 'call-1',
        from: '+551155500077',
        to: '+5511987654307',
        phoneNumberId: 7,
        ringingTimeoutMs: 30_000,
        isSecondLeg: true,
      },
    ]);
    expect(customer.log).toEqual(['hold 60']);
    expect(supervisor?.log).toEqual([`Hello. Ana is angry. ${HOW}`]);
    expect(supervisor?.setup).toMatchObject({ callId: 'leg', recordAs: null, voice: { ambience: null } });
  });

  it.each([
    ['key 1', () => line.happens({ type: 'digits', digits: '1' })],
    ['key 1 as a tone', () => supervisor?.listener?.onKeys('1')],
    ['words', () => void supervisor?.setup?.assistant.tools.get('take_call')?.run({}, {} as never)],
  ])('joins both when the call is taken by %s, and only then', async (_how, take) => {
    const { outcome } = await briefed();
    expect(customer.log).not.toContain('joined');
    take();
    await expect(clock.until(outcome)).resolves.toBe('answered');
    expect(supervisor?.log.at(-1)).toBe('closed');
    expect(customer.log).toEqual(['hold 60', 'joined']);
    expect(customer.farEnd).toBe(line.audio);
    expect([transfer.joined, line.hangUps]).toEqual([true, 0]);
    transfer.press('42');
    expect(line.keys).toEqual(['42']);
  });

  it.each([
    ['is declined by key 2', () => line.happens({ type: 'digits', digits: '2' })],
    [
      'is declined by words',
      () => void supervisor?.setup?.assistant.tools.get('decline_call')?.run({}, {} as never),
    ],
    ['comes to a mailbox', () => supervisor?.listener?.onFarEnd('machine')],
    ['comes to a voice menu', () => supervisor?.listener?.onFarEnd('menu')],
    ['is hung up in the briefing', () => line.ends('hung-up')],
  ])('gives the customer back when it %s', async (_how, happen) => {
    const { outcome } = await briefed();
    happen();
    await expect(clock.until(outcome)).resolves.toBe('declined');
    expect(customer.log).toEqual(['hold 60', 'back']);
    await transfer.end();
    expect(usage.all).toMatchObject([{ requests: 2 }]);
  });

  it('explains once more how to decide, and then gives up on a person who stays silent', async () => {
    const { outcome } = await briefed();
    await clock.pass(11_900);
    expect(supervisor?.log).toHaveLength(1);
    await clock.pass(200);
    expect(supervisor?.log).toEqual([`Hello. Ana is angry. ${HOW}`, HOW]);
    expect(line.hangUps).toBe(0);
    await expect(clock.until(outcome)).resolves.toBe('declined');
    expect(clock.nowMs()).toBeLessThan(30_000);
    expect(line.hangUps).toBe(1);
  });

  it('waits for a person who asks back, for two minutes at most', async () => {
    const { outcome } = await briefed();
    supervisor?.listener?.onCustomer('speaking');
    await clock.pass(100_000);
    expect(supervisor?.log).toHaveLength(1);
    await expect(clock.until(outcome)).resolves.toBe('declined');
    expect(clock.nowMs()).toBe(120_000);
  });

  it('lets a briefing wait while the person who was called has it on hold', async () => {
    const { outcome } = await briefed();
    await clock.pass(8_000);
    line.happens({ type: 'hold', isHeld: true });
    await clock.pass(60_000);
    expect(supervisor?.log.slice(1)).toEqual(['suspended']);
    line.happens({ type: 'hold', isHeld: false });
    await clock.pass(11_900);
    expect(supervisor?.log.slice(1)).toEqual(['suspended', 'resumed']);
    await clock.pass(200);
    expect(supervisor?.log.at(-1)).toBe(HOW);
    await expect(clock.until(outcome)).resolves.toBe('declined');
  });

  it('begins on hold where the person who was called has answered so', async () => {
    const outcome = transfer.connect(
      request({ briefing: new Promise((resolve) => setTimeout(resolve, 1, 'Hello.')) }),
    );
    outcome.catch(() => undefined);
    await clock.pass(0);
    line.happens(ANSWERED);
    line.happens({ type: 'hold', isHeld: true });
    await clock.pass(20_000);
    expect(supervisor?.log).toContain('suspended');
    line.ends('hung-up');
    await expect(clock.until(outcome)).resolves.toBe('declined');
  });

  it('ends a leg that is on hold for too long, and no other', async () => {
    const { outcome } = await briefed();
    line.happens({ type: 'digits', digits: '1' });
    await clock.until(outcome);
    const last = transfer.waitForEnd();
    for (let holds = 0; holds < 2; holds++) {
      line.happens({ type: 'hold', isHeld: true });
      await clock.pass(299_000);
      line.happens({ type: 'hold', isHeld: false });
      await clock.pass(400_000);
    }
    expect(line.hangUps).toBe(0);
    line.happens({ type: 'hold', isHeld: true });
    await clock.pass(300_000);
    await clock.until(last);
    expect(line.hangUps).toBe(1);
  });

  it.each([
    ['busy', 'busy'],
    ['no-answer', 'no-answer'],
    ['failed', 'failed'],
  ] as const)('reports that the far end was not reached: %s', async (end, reported) => {
    const outcome = transfer.connect(request());
    await clock.pass(0);
    line.ends(end);
    await expect(clock.until(outcome)).resolves.toBe(reported);
    expect([customer.log, supervisor, line.hangUps]).toEqual([['hold 60', 'back'], null, 0]);
  });

  it('gives the customer back when the carrier takes no second call, and when briefing breaks', async () => {
    line.refuses = new CallCarrierError('unavailable', 'no');
    await expect(clock.until(transfer.connect(request()))).rejects.toThrow(CallCarrierError);
    expect(customer.log).toEqual(['hold 60', 'back']);
    line.refuses = null;
    const { outcome } = await briefed();
    supervisor?.listener?.onFailure(new Error('no voice'));
    await expect(clock.until(outcome)).resolves.toBe('failed');
    expect(line.hangUps).toBe(1);
  });

  it.each(['while it rings', 'in the briefing', 'when they talk'] as const)(
    'ends the second leg when the customer hangs up: %s',
    async (stage) => {
      const connecting = transfer.connect(request());
      connecting.catch(() => undefined);
      await clock.pass(0);
      if (stage !== 'while it rings') line.happens(ANSWERED);
      await clock.pass(0);
      if (stage === 'when they talk') line.happens({ type: 'digits', digits: '1' });
      await clock.pass(0);
      const over: Promise<unknown> = stage === 'when they talk' ? transfer.waitForEnd() : connecting;
      termination.finish('customer');
      await expect(clock.until(over)).rejects.toThrow(CallEndedError);
      await transfer.end();
      expect(line.hangUps).toBe(1);
    },
  );

  it('ends the second leg when the customer hangs up before the carrier has taken it', async () => {
    let comes = (): void => {};
    line.turn = new Promise((resolve) => (comes = resolve));
    const connecting = transfer.connect(request());
    connecting.catch(() => undefined);
    await clock.pass(0);
    expect(line.unwanted?.aborted).toBe(false);
    termination.finish('customer');
    const ended = transfer.end();
    expect(line.unwanted?.aborted).toBe(true);
    comes();
    await clock.until(ended);
    await expect(connecting).rejects.toThrow(CallEndedError);
    expect([line.placed.length, line.hangUps]).toEqual([1, 1]);
  });

  it('lets them talk until the far end hangs up', async () => {
    const { outcome } = await briefed();
    line.happens({ type: 'digits', digits: '1' });
    await clock.until(outcome);
    let isOver = false;
    const last = transfer.waitForEnd().then(() => (isOver = true));
    await clock.pass(600_000);
    expect(isOver).toBe(false);
    line.ends('hung-up');
    await clock.until(last);
    await transfer.end();
    expect(line.hangUps).toBe(0);
  });

  it('joins both without a word where there is nothing to brief', async () => {
    const cold = { kind: 'cold', to: '1001' } as const;
    const outcome = bridged({ secondLegs: new Map([[1, line]]) }).connect(
      request({ transfer: cold, briefing: null }),
    );
    await clock.pass(0);
    line.happens(ANSWERED);
    await expect(clock.until(outcome)).resolves.toBe('answered');
    expect(line.placed).toMatchObject([{ to: '1001', phoneNumberId: 1 }]);
    expect([customer.log, supervisor]).toEqual([['hold 80', 'joined'], null]);
  });

  it('calls by the assistant’s own number where the set one carries no sound, and by none where neither does', async () => {
    const silent = new LegLine();
    Object.assign(silent, { media: { text: { say: async () => ({ durationMs: 0 }) } } });
    const other = bridged({
      secondLegs: new Map([
        [7, silent],
        [1, line],
      ]),
    });
    void other.connect(request()).catch(() => undefined);
    await clock.pass(0);
    expect(line.placed).toMatchObject([{ phoneNumberId: 1 }]);
    const none = bridged({ secondLegs: new Map([[7, silent]]) });
    customer.log.length = 0;
    await expect(clock.until(none.connect(request()))).rejects.toMatchObject({ code: 'not-supported' });
    expect([silent.placed, customer.log]).toEqual([[], []]);
  });
});
