import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { awaitRecording } from './voicemail-recording.js';

describe('awaitRecording', () => {
  let speaks: boolean;
  let beep: () => void;
  let over: AbortController;
  let reason: string | null;

  beforeEach(() => {
    jest.useFakeTimers();
    speaks = true;
    reason = null;
    over = new AbortController();
    const ears = {
      isSpeaking: () => speaks,
      awaitBeep: (onBeep: () => void) => {
        beep = onBeep;
        return () => {
          beep = () => {};
        };
      },
    };
    void awaitRecording(ears, over.signal).then((why) => (reason = why));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  async function pass(ms: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(ms);
  }

  it('is at the end of the beep', async () => {
    await pass(8_000);
    expect(reason).toBeNull();
    beep();
    await pass(0);
    expect(reason).toBe('beep');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is after two and a half seconds of silence where there is no beep', async () => {
    await pass(5_000);
    speaks = false;
    await pass(2_400);
    expect(reason).toBeNull();
    await pass(200);
    expect(reason).toBe('silence');
  });

  it('is at last, when a machine talks for ever', async () => {
    await pass(30_100);
    expect(reason).toBe('too-long');
  });

  it('is no more when the call is over', async () => {
    over.abort();
    await pass(0);
    expect(reason).toBe('aborted');
  });
});
