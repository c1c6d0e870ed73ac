import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import type { AssistantSession } from '../session/assistant-session.js';
import type { TranscriptTurn } from '../session/call-setup.js';
import type { MonitoringAnnouncement } from '../settings/call-settings.js';
import { MonitoringNotice } from './monitoring-notice.js';

const SAID = 'Ana, nossa equipe acompanha esta ligação.';
const ANNOUNCEMENT = { text: '{{name}}, nossa equipe acompanha esta ligação.', tone: false };

describe('the notice that people listen', () => {
  let clock: VirtualClock;
  let said: string[];
  let tones: number[];
  let listeners: number;
  let outcome: () => Promise<boolean>;

  beforeEach(() => {
    clock = new VirtualClock();
    [said, tones, listeners] = [[], [], 1];
    outcome = async () => true;
  });

  function noticeOf(announcement: MonitoringAnnouncement | null, turns: readonly TranscriptTurn[] = []) {
    return new MonitoringNotice(announcement, { name: 'Ana' }, clock, () => turns);
  }

  const session = () =>
    ({
      announce: (text: string) => {
        said.push(text);
        return outcome();
      },
      signalListener: () => void tones.push(clock.nowMs()),
    }) as unknown as AssistantSession;

  function begun(announcement: MonitoringAnnouncement | null, turns: readonly TranscriptTurn[] = []) {
    const notice = noticeOf(announcement, turns);
    notice.begin(session());
    return { notice, announce: () => notice.announce(() => listeners > 0) };
  }

  it('is said once, with its variables, and the second listener waits until it was heard', async () => {
    let heard: (was: boolean) => void = () => {};
    outcome = () => new Promise((resolve) => (heard = resolve));
    const { announce } = begun(ANNOUNCEMENT);
    const passed: boolean[] = [];
    const both = [announce(), announce()].map(async (one) => passed.push(await one));
    await clock.pass(1);
    expect([said, passed]).toEqual([[SAID], []]);
    heard(true);
    await Promise.all(both);
    expect(passed).toEqual([true, true]);
    expect(await announce()).toBe(true);
    expect(said).toEqual([SAID]);
  });

  it('says nothing where nothing is set, and where another process has said it', async () => {
    const turn: TranscriptTurn = {
      speaker: 'assistant',
      text: SAID,
      startMs: 0,
      endMs: 9,
      interrupted: false,
    };
    expect(await begun(null).announce()).toBe(true);
    expect(await begun(ANNOUNCEMENT, [turn]).announce()).toBe(true);
    expect(said).toEqual([]);
    expect(noticeOf(ANNOUNCEMENT).without([turn, { ...turn, text: 'Olá!' }])).toMatchObject([
      { text: 'Olá!' },
    ]);
    expect(await begun(ANNOUNCEMENT, [{ ...turn, speaker: 'customer' }]).announce()).toBe(true);
    expect(said).toEqual([SAID]);
  });

  it('waits for the assistant, and lets no person hear a call that is over', async () => {
    const notice = noticeOf(ANNOUNCEMENT);
    let passed: boolean | null = null;
    const over = notice.announce(() => true).then((was) => (passed = was));
    await clock.pass(60_000);
    expect(passed).toBeNull();
    notice.close();
    await over;
    expect([passed, said]).toEqual([false, []]);
  });

  it('is tried again for the next listener when it failed', async () => {
    const { announce } = begun(ANNOUNCEMENT);
    outcome = () => Promise.reject(new Error('no voice'));
    await expect(announce()).rejects.toThrow('no voice');
    outcome = async () => true;
    expect(await announce()).toBe(true);
    expect(said).toEqual([SAID, SAID]);
  });

  it('repeats its tone every 15 seconds as long as a person listens', async () => {
    const { notice, announce } = begun({ ...ANNOUNCEMENT, tone: true });
    const fromMs = clock.nowMs();
    await announce();
    await clock.pass(7_000);
    await announce();
    await clock.pass(24_000);
    expect(tones.map((atMs) => atMs - fromMs)).toEqual([15_000, 30_000]);
    listeners = 0;
    await clock.pass(60_000);
    expect(tones).toHaveLength(2);
    listeners = 1;
    await announce();
    await clock.pass(15_000);
    expect(tones).toHaveLength(3);
    notice.close();
    await clock.pass(60_000);
    expect(tones).toHaveLength(3);
  });

  it('has no tone where that is not set', async () => {
    await begun(ANNOUNCEMENT).announce();
    await clock.pass(60_000);
    expect(tones).toEqual([]);
  });
});
