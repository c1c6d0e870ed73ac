import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TranscriptTurn } from '../../runtime/call/session/call-setup.js';
import type { TurnsFrom } from '../calls/turns/recorded-turns.js';
import { LiveTurns } from './live-turns.js';

const said = (text: string, startMs: number, endMs = startMs): TranscriptTurn => {
  return { speaker: 'assistant', text, startMs, endMs, interrupted: false };
};

describe('the turns of a live call', () => {
  let turns: LiveTurns;
  let written: TurnsFrom[];
  const write = () => turns.write(async (given) => void written.push(given));
  const positions = () => written.map((given) => [given.position, given.turns.map(({ text }) => text)]);

  beforeEach(() => {
    turns = new LiveTurns();
    written = [];
  });

  it('are written once each, in the form they are kept', async () => {
    turns.note(said('Oi\0 \ud800', 0.4, 900.6));
    await write();
    turns.note(said('Tudo bem?', 1_000));
    await write();
    await write();
    expect(positions()).toEqual([
      [0, ['Oi \ufffd']],
      [1, ['Tudo bem?']],
      [2, []],
    ]);
    expect(written[0]?.turns[0]).toMatchObject({ role: 'assistant', startMs: 0, endMs: 901 });
  });

  it('are written again when they have changed', async () => {
    const begun = said('Oi', 0);
    turns.note(begun);
    turns.note(said('Alô?', 100));
    await write();
    turns.note({ ...begun, endMs: 50, interrupted: true }, begun);
    await write();
    expect(positions()).toEqual([
      [0, ['Oi', 'Alô?']],
      [0, ['Oi', 'Alô?']],
    ]);
    expect(turns.all.map(({ interrupted }) => interrupted)).toEqual([true, false]);
  });

  it('are written again after a failed write, with the changes since then', async () => {
    turns.note(said('Oi', 0));
    const failing = turns.write(() => Promise.reject(new Error('away')));
    turns.note(said('Alô?', 100));
    await expect(failing).rejects.toThrow('away');
    await write();
    expect(positions()).toEqual([[0, ['Oi', 'Alô?']]]);
  });

  it('begin with those on record, which are not written again', async () => {
    turns.load([
      {
        callId: 1,
        userId: 2,
        position: 0,
        role: 'customer',
        text: 'Oi',
        startMs: 0,
        endMs: 5,
        interrupted: false,
        assistantId: null,
        assistantName: null,
        memberName: null,
      },
    ]);
    turns.note(said('Alô?', 100));
    await write();
    expect(turns.all.map(({ speaker }) => speaker)).toEqual(['customer', 'assistant']);
    expect(positions()).toEqual([[1, ['Alô?']]]);
  });
});
