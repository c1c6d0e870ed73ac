import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import type { CallEvent } from '../../../providers/telephony/call/carrier-call.js';
import type { CallLine } from '../../../providers/telephony/call/call-line.js';
import { EventQueue } from '../../../providers/telephony/event-queue.js';
import type { CallSetup } from '../session/call-setup.js';
import type { AssistantSession, SessionListener } from '../session/assistant-session.js';
import { CallController } from '../call-controller.js';

const HELD: CallEvent = { type: 'hold', isHeld: true };
const RESUMED: CallEvent = { type: 'hold', isHeld: false };

/** Writes down what the call has it do. */
class WrittenTalk implements AssistantSession {
  readonly log: string[] = [];
  listener: SessionListener | null = null;

  async start(listener: SessionListener): Promise<void> {
    this.listener = listener;
  }

  async say(text: string) {
    this.log.push(text);
    return 'heard' as const;
  }

  async respond(): Promise<void> {
    this.log.push('responded');
  }

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
  cut(): void {}
  hold(): void {}
  join(): void {}
  async sendKeys(): Promise<void> {}

  async spoken() {
    return 'heard' as const;
  }

  suspend(): void {
    this.log.push('suspended');
  }

  resume(): void {
    this.log.push('resumed');
  }

  async close() {
    return { modelUsage: [], recording: null };
  }
}

describe('a call that the far end puts on hold', () => {
  let clock: VirtualClock;
  let session: WrittenTalk;
  let events: EventQueue<CallEvent>;

  beforeEach(() => {
    clock = new VirtualClock();
    session = new WrittenTalk();
    events = new EventQueue<CallEvent>();
  });

  function run(call: Partial<CallSetup> = {}, settings: Partial<CallSetup['settings']> = {}) {
    const line = { media: {}, capabilities: {}, hangUp: async () => {} } as unknown as CallLine;
    const deps = {
      line,
      sessions: { prepare: () => {}, make: async () => session },
      userId: 1,
      chatModel: {} as never,
      clock,
      maxHoldMs: 600_000,
      transferCountries: [],
      resolveSipTarget: (() => {}) as never,
    };
    const setup: CallSetup = {
      callId: 'call',
      events,
      assistant: {
        id: 1,
        variablesOf: () => ({}),
        toolVariablesOf: () => ({}),
        greeting: () => 'Bom dia!',
      } as never,
      variableContext: { variables: {} } as never,
      settings: {
        waitForCustomer: false,
        maxDurationMs: 1_800_000,
        maxSilenceMs: 40_000,
        maxInitialSilenceMs: 20_000,
        reengagementIntervalMs: 15_000,
        reengagementPrompt: 'Ask whether they are there.',
        endOnVoicemail: false,
        voicemailMessage: null,
        monitoringAnnouncement: null,
        keypad: null,
        ...settings,
      },
      signal: new AbortController().signal,
      ...call,
    };
    return new CallController(setup, deps).run();
  }

  it('is not silent: nothing is said into it, and it does not end', async () => {
    const over = run();
    await clock.pass(10_000);
    events.push(HELD);
    await clock.pass(590_000);
    expect(session.log).toEqual(['Bom dia!', 'suspended']);
    events.push(RESUMED);
    await clock.pass(14_900);
    expect(session.log).toEqual(['Bom dia!', 'suspended', 'resumed']);
    const { endedBy, actions, durationMs } = await clock.until(over);
    // The silence is counted anew, and is still that of a customer who has said nothing at all.
    expect([endedBy, durationMs]).toEqual(['silence', 620_000]);
    expect(actions.map(({ type, ...action }) => [type, 'atMs' in action && action.atMs])).toEqual([
      ['hold-began', 10_000],
      ['hold-ended', 600_000],
      ['reengagement', 615_000],
    ]);
  });

  it('ends when it is on hold for too long, which a break begins anew', async () => {
    const over = run();
    events.push(HELD);
    await clock.pass(500_000);
    events.push(RESUMED);
    await clock.pass(1_000);
    events.push(HELD);
    const { endedBy, durationMs } = await clock.until(over);
    expect([endedBy, durationMs]).toEqual(['hold', 1_101_000]);
  });

  it('ends when its longest duration is over, on hold or not', async () => {
    const over = run({}, { maxDurationMs: 300_000 });
    events.push(HELD);
    const { endedBy, durationMs } = await clock.until(over);
    expect([endedBy, durationMs]).toEqual(['limit', 300_000]);
  });

  it('tells the session once of each hold, and of one that had begun before the process adopted the call', async () => {
    const over = run({ isHeld: true });
    await clock.pass(1_000);
    expect(session.log[0]).toBe('suspended');
    events.push(HELD);
    events.push({ type: 'state', call: { isHeld: true } as never });
    await clock.pass(1_000);
    events.push({ type: 'state', call: { isHeld: false } as never });
    events.push(RESUMED);
    await clock.pass(1_000);
    expect(session.log).toEqual(['suspended', 'Bom dia!', 'resumed']);
    events.push({ type: 'ended', call: { end: { by: 'customer' } } as never });
    await expect(clock.until(over)).resolves.toMatchObject({ endedBy: 'customer' });
  });
});
