import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SystemClock } from '../../../common/time/clock.js';
import type { Announcer, Phrase } from '../../../runtime/call/announcements/announcer.js';
import { QueueAnnouncements } from './queue-announcements.js';

describe('the announcements to a waiting caller', () => {
  let heard: string[];
  let isClosed: boolean;
  let fails: Partial<Record<'open' | 'music' | 'say', boolean>>;
  const onError = jest.fn<(error: unknown) => void>();

  beforeEach(() => {
    jest.useFakeTimers();
    heard = [];
    isClosed = false;
    fails = {};
    onError.mockReset();
  });
  afterEach(() => void jest.useRealTimers());

  const announcer: Announcer = {
    say: async (phrases: readonly Phrase[]) => {
      if (fails.say) throw new Error('no voice');
      heard.push(...phrases.map(({ text }) => text));
    },
    playMusic: async () => {
      if (fails.music) throw new Error('no decoder');
      heard.push('♫');
    },
    cut: () => undefined,
    close: async () => {
      isClosed = true;
    },
  };
  function announcementsAt(position: number | null, message: string | null): QueueAnnouncements {
    const announcements = new QueueAnnouncements({
      open: async () => {
        if (fails.open) throw new Error('no line');
        return announcer;
      },
      clock: new SystemClock(),
      language: 'pt-BR',
      message,
      onError,
    });
    if (position !== null) announcements.moveTo(position);
    return announcements;
  }

  it('begin with music and the message, then the position', async () => {
    await announcementsAt(2, 'Um momento, já vamos atender.').start();
    expect(heard).toEqual(['♫', 'Um momento, já vamos atender.', 'Você está na posição 2 da fila.']);
  });

  it('say the position as soon as it is known', async () => {
    const announcements = announcementsAt(null, null);
    await announcements.start();
    expect(heard).toEqual(['♫']);
    announcements.moveTo(4);
    expect(heard).toEqual(['♫', 'Você está na posição 4 da fila.']);
  });

  it('say the position when it has changed, half a minute later at the earliest', async () => {
    const announcements = announcementsAt(3, null);
    await announcements.start();
    announcements.moveTo(2);
    announcements.moveTo(1);
    await jest.advanceTimersByTimeAsync(29_999);
    expect(heard).toEqual(['♫', 'Você está na posição 3 da fila.']);
    await jest.advanceTimersByTimeAsync(1);
    expect(heard.at(-1)).toBe('Você é o próximo da fila.');
    await jest.advanceTimersByTimeAsync(120_000);
    expect(heard).toHaveLength(3);
  });

  it.each(['open', 'music', 'say'] as const)(
    'let the caller wait in silence where %s fails',
    async (what) => {
      fails[what] = true;
      await announcementsAt(1, 'Um momento.').start();
      expect(onError).toHaveBeenCalled();
      if (what === 'music') expect(heard).toEqual(['Um momento.', 'Você é o próximo da fila.']);
    },
  );

  it('end at once, and say nothing more', async () => {
    const announcements = announcementsAt(2, null);
    await announcements.start();
    await announcements.close();
    announcements.moveTo(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([isClosed, heard.length, jest.getTimerCount()]).toEqual([true, 2, 0]);
  });
});
