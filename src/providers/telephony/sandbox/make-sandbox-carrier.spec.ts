import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CallCarrier } from '../call-carrier.js';
import { makeSandboxCarrier } from './make-sandbox-carrier.js';

const TELEPHONY = { sandboxSpeed: 1, sandboxCarrierUrl: undefined, sandboxDir: '/nowhere' } as const;
const DATABASE = { url: 'postgres://h/d' };

describe('makeSandboxCarrier', () => {
  let carrier: CallCarrier;
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  afterEach(async () => {
    warn.mockClear();
    await carrier.close();
  });

  function make(sandboxMedia: 'text' | 'audio', obstacle: string | null): string[] {
    const speak = () => Promise.reject(new Error('speech is not available in this test'));
    carrier = makeSandboxCarrier({ ...TELEPHONY, sandboxMedia }, DATABASE, { obstacle, speak });
    return Object.keys(carrier.media);
  }

  it('makes lines of text unless sound is wished', () => {
    expect(make('text', null)).toEqual(['text']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('makes lines of sound, in real time and for the process of the call alone', () => {
    expect(make('audio', null)).toEqual(['audio']);
    expect(carrier.capabilities).toMatchObject({
      speed: 1,
      reattachable: false,
      livesInProcess: true,
      inBandDigits: true,
      machineDetection: false,
    });
  });

  it('stays with text where there is no voice, and says why in a sentence', () => {
    expect(make('audio', 'the optional package of espeak-ng is not installed')).toEqual(['text']);
    expect(warn).toHaveBeenCalledWith(
      'SANDBOX_MEDIA=audio: the sandbox is text only, as the optional package of espeak-ng is not installed',
    );
  });
});
