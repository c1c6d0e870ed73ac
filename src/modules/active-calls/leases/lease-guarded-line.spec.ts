import { beforeEach, describe, expect, it } from '@jest/globals';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { CallEvent } from '../../../providers/telephony/call/carrier-call.js';
import type {
  CallLine,
  SecondLegLine,
  ShownTurn,
  TransferCall,
} from '../../../providers/telephony/call/call-line.js';
import type { PlaceCall } from '../../../providers/telephony/call/call-placing.js';
import { LeaseGuardedLine, type LegRoom } from './lease-guarded-line.js';

/** A line that writes down what it is asked for, and answers with the name of that. */
function recordingLine(takesText = true, livesInProcess = false) {
  const asked: unknown[][] = [];
  const record =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args]);
      return Promise.resolve(name);
    };
  const names = ['watch', 'hangUp', 'transfer', 'place', 'sendDigits', 'accept', 'showTurn', 'showState'];
  const recording = {
    capabilities: { speed: 3, livesInProcess },
    media: takesText ? { text: { say: record('say') } } : { audio: { open: record('open') } },
    ...Object.fromEntries(names.map((name) => [name, record(name)])),
  };
  return { asked, recording: recording as unknown as CallLine };
}

const TRANSFER = { to: '+5511987654321' } as TransferCall;
const SECOND_LEG: PlaceCall = { key: 'b', from: '+551130000001', to: '1001', ringingTimeoutMs: 30_000 };
const SIGNAL = new AbortController().signal;
const ROOMY: LegRoom = { take: async () => {}, free: async () => {} };

describe('the line of a call', () => {
  let isHeld: boolean;
  let asked: unknown[][];
  let line: LeaseGuardedLine;
  let other: SecondLegLine;

  beforeEach(() => {
    const { recording, ...written } = recordingLine();
    asked = written.asked;
    other = recording as unknown as SecondLegLine;
    isHeld = true;
    line = new LeaseGuardedLine(recording, () => isHeld);
  });

  const deeds: readonly (readonly [string, (line: LeaseGuardedLine) => Promise<unknown>, unknown[]])[] = [
    [
      'say',
      (line) =>
        'text' in line.media ? line.media.text.say('a', 'Olá') : Promise.reject(new Error('no text')),
      ['a', 'Olá'],
    ],
    ['transfer', (line) => line.transfer('a', TRANSFER), ['a', TRANSFER]],
    ['sendDigits', (line) => line.sendDigits('a', '12'), ['a', '12']],
    ['accept', (line) => line.accept('a'), ['a']],
    ['place', (line) => line.secondLegsOn(other, ROOMY).place(SECOND_LEG), [SECOND_LEG]],
  ];

  it.each(deeds)('does %s while the call is held, and refuses it after that', async (name, deed, args) => {
    expect(await deed(line)).toBe(name);
    isHeld = false;
    const refused = deed(line);
    await expect(refused).rejects.toBeInstanceOf(CallCarrierError);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', sent: 'no' });
    expect(asked).toEqual([[name, ...args]]);
  });

  it('hangs up while the call is held, and after that leaves it as it is without a word', async () => {
    await line.hangUp('a');
    isHeld = false;
    await line.hangUp('a');
    expect(asked).toEqual([['hangUp', 'a']]);
  });

  it('is hung up also after that where it lives in this process', async () => {
    const { asked: hungUp, recording } = recordingLine(true, true);
    await new LeaseGuardedLine(recording, () => false).hangUp('a');
    expect(hungUp).toEqual([['hangUp', 'a']]);
  });

  it('can always be looked at', async () => {
    isHeld = false;
    await expect(line.watch('a', SIGNAL)).resolves.toBe('watch');
    expect(asked).toEqual([['watch', 'a', SIGNAL]]);
    expect(line.capabilities).toEqual({ speed: 3, livesInProcess: false });
  });

  it('shows what is said while the call is held, and nothing after that', () => {
    const turn: ShownTurn = { speaker: 'assistant', text: 'Olá', startMs: 40 };
    line.showTurn('a', turn);
    line.showState('a', 'speaking');
    isHeld = false;
    line.showTurn('a', turn);
    line.showState('a', 'listening');
    expect(asked).toEqual([
      ['showTurn', 'a', turn],
      ['showState', 'a', 'speaking'],
    ]);
  });

  it('shows nothing where the carrier shows no text', () => {
    const { asked: shown, recording } = recordingLine();
    const silent = new LeaseGuardedLine({ ...recording, showTurn: undefined }, () => true);
    silent.showTurn('a', { speaker: 'customer', text: 'Alô', startMs: 0 });
    expect(shown).toEqual([]);
  });

  it('lets second legs be watched, ended and sent digits also after that', async () => {
    const legs = line.secondLegsOn(other, ROOMY);
    isHeld = false;
    legs.watch('b', SIGNAL);
    await legs.sendDigits('b', '1');
    await legs.hangUp('b');
    expect(asked).toEqual([
      ['watch', 'b', SIGNAL],
      ['sendDigits', 'b', '1'],
      ['hangUp', 'b'],
    ]);
  });

  describe('room for a second leg', () => {
    const ENDED = {
      type: 'ended',
      call: { end: { by: 'customer', outcome: 'busy' } },
    } as unknown as CallEvent;
    let taken: number;
    let isFull: boolean;
    let isRefused: boolean;
    let legs: SecondLegLine;

    beforeEach(() => {
      taken = 0;
      isFull = isRefused = false;
      const placing = {
        ...other,
        place: async () => {
          if (isRefused) throw new CallCarrierError('rejected', 'no');
          return { callId: 'b' };
        },
        async *watch() {
          yield ENDED;
        },
      } as unknown as SecondLegLine;
      legs = line.secondLegsOn(placing, {
        take: async () => {
          if (isFull) throw new CallCarrierError('rejected', 'no');
          taken++;
        },
        free: async () => void taken--,
      });
    });

    it('is taken before it is placed, and free again once it has been hung up', async () => {
      await legs.place(SECOND_LEG);
      expect(taken).toBe(1);
      await legs.hangUp('b');
      await legs.hangUp('b');
      expect(taken).toBe(0);
    });

    it('is free again once the far end is seen to have ended it', async () => {
      await legs.place(SECOND_LEG);
      for await (const event of legs.watch('b')) expect([event, taken]).toEqual([ENDED, 0]);
      await legs.hangUp('b');
      expect(taken).toBe(0);
    });

    it('is free again when the leg is cancelled during the wait, and no leg is placed', async () => {
      const unwanted = new AbortController();
      const waiting = line.secondLegsOn(other, {
        take: async () => {
          taken++;
          unwanted.abort();
        },
        free: async () => void taken--,
      });
      await expect(waiting.place(SECOND_LEG, unwanted.signal)).rejects.toMatchObject({
        code: 'unavailable',
        sent: 'no',
      });
      expect([taken, asked]).toEqual([0, []]);
    });

    it('is free again where the carrier refuses the leg, and nothing is placed without it', async () => {
      isRefused = true;
      await expect(legs.place(SECOND_LEG)).rejects.toMatchObject({ code: 'rejected' });
      expect(taken).toBe(0);
      isFull = true;
      isRefused = false;
      await expect(legs.place(SECOND_LEG)).rejects.toMatchObject({ code: 'rejected' });
      expect(taken).toBe(0);
    });
  });

  it('opens no audio of a call that has been let go of', async () => {
    const { asked: opened, recording } = recordingLine(false);
    const { media } = new LeaseGuardedLine(recording, () => isHeld);
    const open = async () => ('audio' in media ? media.audio.open('a', SIGNAL) : null);
    expect(await open()).toBe('open');
    isHeld = false;
    await expect(open()).rejects.toMatchObject({ code: 'unavailable', sent: 'no' });
    expect(opened).toEqual([['open', 'a', SIGNAL]]);
  });
});
