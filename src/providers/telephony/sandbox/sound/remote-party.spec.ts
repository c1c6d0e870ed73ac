import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { strengthOf, tone } from '@prosa/testing';
import { BeepDetector } from '#src/common/audio/beep-detector.js';
import { KeypadDetector, rmsOf } from '@prosa/audio';
import { personaOf, type SandboxPersona } from '../sandbox-persona.js';
import { AnsweringMachine } from './answering-machine.js';
import type { RemoteParty, RemotePartySetup } from './remote-party.js';
import { Person } from './person.js';

const RATE = 8_000;
const LINE_MS = 1_000;
/** What the platform says. */
const WORDS = tone(300, RATE, 20, 0.3);
const SILENCE = new Int16Array(160);

const NUMBER = '+55119876543';
const [FIRST = '', SECOND = '', GOODBYE = ''] = personaOf(`${NUMBER}00`, 1).replies.map(({ say }) => say);

/** A person at the far end, whose time passes frame by frame. */
class Conversation {
  readonly said: { readonly text: string; readonly atMs: number }[] = [];
  hungUpAtMs: number | null = null;
  private readonly frames: Int16Array[] = [];
  private readonly farEnd: RemoteParty;

  constructor(persona: SandboxPersona) {
    const setup: RemotePartySetup = {
      sampleRateHz: RATE,
      say: async (text) => {
        this.said.push({ text, atMs: this.nowMs });
        return tone(500, RATE, LINE_MS, 0.3);
      },
      onHangUp: () => {
        this.hungUpAtMs ??= this.nowMs;
      },
    };
    this.farEnd =
      persona.answers === 'machine'
        ? new AnsweringMachine(setup, persona.opening)
        : new Person(setup, persona);
  }

  static with(ending: string): Conversation {
    return new Conversation(personaOf(`${NUMBER}${ending}`, 1));
  }

  get nowMs(): number {
    return this.frames.length * 20;
  }

  get words(): string[] {
    return this.said.map(({ text }) => text);
  }

  /** The platform speaks for so long, with the gaps that speech has. */
  speak(ms: number): Promise<Int16Array[]> {
    return this.pass(ms, (atMs) => (atMs % 500 >= 440 ? SILENCE : WORDS));
  }

  silence(ms: number): Promise<Int16Array[]> {
    return this.pass(ms, () => SILENCE);
  }

  /** @param heard what comes over the line at each moment */
  async pass(ms: number, heard: (atMs: number) => Int16Array): Promise<Int16Array[]> {
    const from = this.frames.length;
    for (let atMs = 0; atMs < ms; atMs += 20) {
      this.frames.push(this.farEnd.tick([heard(atMs)]));
      await setImmediate();
    }
    return this.frames.slice(from);
  }
}

function loudMs(frames: readonly Int16Array[]): number {
  return frames.filter((frame) => rmsOf(frame) > 0.01).length * 20;
}

describe('a person at the far end, in sound', () => {
  it('says hello when the caller is silent, asks whether anybody is there, and hangs up', async () => {
    const call = Conversation.with('00');
    await call.silence(40_000);
    expect(call.said).toEqual([
      { text: 'Alô?', atMs: 1_480 },
      { text: 'Alô? Tem alguém aí?', atMs: expect.any(Number) },
    ]);
    expect(call.said[1]!.atMs - 2_500).toBeGreaterThanOrEqual(14_900);
    expect(call.hungUpAtMs! - call.said[1]!.atMs - LINE_MS).toBeGreaterThanOrEqual(14_900);
  });

  it('lets the other side finish, answers after a moment, and hangs up after the goodbye', async () => {
    const call = Conversation.with('00');
    for (let turn = 0; turn < 3; turn++) {
      const during = await call.speak(2_000);
      expect(loudMs(during)).toBe(0);
      const spokenUntilMs = call.nowMs;
      await call.silence(700);
      expect(call.said).toHaveLength(turn);
      await call.silence(200);
      expect(call.said[turn]!.atMs - spokenUntilMs).toBeGreaterThanOrEqual(700);
      expect(loudMs(await call.silence(LINE_MS))).toBeGreaterThan(800);
    }
    expect(call.words).toEqual([FIRST, SECOND, GOODBYE]);
    await call.silence(2_600);
    expect(call.hungUpAtMs).toBeNull();
    await call.silence(600);
    expect(call.hungUpAtMs).not.toBeNull();
  });

  it('hears the goodbye of the other side out before they hang up', async () => {
    const call = new Conversation({
      answers: 'human',
      opening: null,
      replies: [{ say: 'Bye!', hangUp: 'afterwards' }],
      nudge: null,
    });
    await call.speak(1_000);
    await call.silence(900 + LINE_MS);
    await call.silence(2_000);
    await call.speak(2_500);
    expect(call.hungUpAtMs).toBeNull();
    await call.silence(1_000);
    expect(call.hungUpAtMs).not.toBeNull();
  });

  it('takes pauses within what is said, and clicks, for no end and no beginning', async () => {
    const call = Conversation.with('00');
    await call.speak(40);
    await call.silence(1_000);
    expect(call.said).toEqual([]);
    await call.speak(1_000);
    await call.silence(500);
    await call.speak(1_000);
    expect(call.said).toEqual([]);
    await call.silence(900);
    expect(call.words).toEqual([FIRST]);
  });

  it('answers also where there is a hum on the line', async () => {
    const call = Conversation.with('00');
    const hum = tone(100, RATE, 20, 0.04);
    await call.pass(2_500, () => hum);
    await call.pass(2_000, () => WORDS);
    await call.pass(1_000, () => hum);
    expect(call.words).toContain(FIRST);
  });

  it('05: hangs up in the middle of the second thing that is said', async () => {
    const call = Conversation.with('05');
    await call.speak(1_500);
    await call.silence(2_500);
    expect(call.said).toHaveLength(1);
    const beganAtMs = call.nowMs;
    await call.speak(3_000);
    expect(call.hungUpAtMs! - beganAtMs).toBeGreaterThanOrEqual(900);
    expect(call.hungUpAtMs! - beganAtMs).toBeLessThanOrEqual(1_100);
  });

  it('07: talks over what is being said', async () => {
    const call = Conversation.with('07');
    const during = await call.speak(4_000);
    expect(call.said[0]!.atMs).toBeLessThan(1_200);
    expect(loudMs(during.slice(50))).toBeGreaterThan(800);
  });

  it('08: coughs into what is being said, once each time, and answers when it is over', async () => {
    const call = Conversation.with('08');
    const during = await call.speak(4_000);
    expect(call.said).toEqual([]);
    expect(loudMs(during)).toBeGreaterThanOrEqual(140);
    expect(loudMs(during)).toBeLessThan(300);
    expect(loudMs(during.slice(0, 48))).toBe(0);
    await call.silence(1_000);
    expect(call.said).toHaveLength(1);
    await call.silence(LINE_MS);
    expect(loudMs(await call.speak(4_000))).toBeGreaterThanOrEqual(140);
  });

  it('09: is in a street that is never silent, and is louder than it', async () => {
    const call = Conversation.with('09');
    const street = await call.speak(1_000);
    const levels = street.map(rmsOf);
    expect(Math.min(...levels)).toBeGreaterThan(0.003);
    await call.silence(900);
    const spoken = await call.silence(500);
    expect(rmsOf(spoken[10]!)).toBeGreaterThan(3 * Math.max(...levels));
  });

  it('10: presses keys as tones on the line after the first words', async () => {
    const call = Conversation.with('10');
    await call.speak(1_000);
    const frames = await call.silence(4_000);
    const detector = new KeypadDetector(RATE);
    expect(frames.map((frame) => detector.hear(frame) ?? '').join('')).toBe('42#');
  });
});

describe('an answering machine at the far end, in sound', () => {
  it('03: greets, beeps, and hangs up when it has recorded for half a minute', async () => {
    const call = Conversation.with('03');
    const beep = new BeepDetector(RATE);
    const frames = await call.silence(4_000);
    const beepsAt = frames.flatMap((frame, index) => (beep.hear(frame) ? [index * 20] : []));
    // Its words are a tone here, and end like a beep.
    expect(beepsAt).toHaveLength(2);
    expect(beepsAt[1]! - beepsAt[0]!).toBeGreaterThanOrEqual(880);
    const tail = frames.slice(beepsAt[1]! / 20 - 15, beepsAt[1]! / 20 - 5).flatMap((frame) => [...frame]);
    expect(strengthOf(1_000, Int16Array.from(tail), RATE)).toBeGreaterThan(0.25);
    await call.speak(20_000);
    expect(call.hungUpAtMs).toBeNull();
    await call.silence(9_000);
    expect(call.hungUpAtMs).not.toBeNull();
  });
});
