import { describe, expect, it } from '@jest/globals';
import { shownHeadersOf } from './shown-headers.js';

const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('shownHeadersOf', () => {
  it('shows what operators and applications say of a call, and nothing else', () => {
    const shown = shownHeadersOf([
      ['from', ['<sip:1@host>']],
      ['authorization', ['Digest secret']],
      ['diversion', ['<sip:1@host>;reason=no-answer', '<sip:2@host>']],
      ['history-info', ['<sip:3@host>;index=1']],
      ['user-to-user', ['00c810;encoding=hex']],
      ['x-queue', ['vip']],
    ]);
    expect(shown).toEqual({
      diversion: '<sip:1@host>;reason=no-answer, <sip:2@host>',
      'history-info': '<sip:3@host>;index=1',
      'user-to-user': '00c810;encoding=hex',
      'x-queue': 'vip',
    });
  });

  it('reads values as UTF-8, and cuts off what is beyond 1 kB without half a character', () => {
    expect(shownHeadersOf([['x-name', [bytesOf('João')]]])).toEqual({ 'x-name': 'João' });
    const long = shownHeadersOf([['x-name', [bytesOf(`${'a'.repeat(1_023)}ãb`)]]]);
    expect(long).toEqual({ 'x-name': 'a'.repeat(1_023) });
  });

  it('shows twenty at most', () => {
    const many = Array.from({ length: 30 }, (_, at): [string, string[]] => [`x-${at}`, ['1']]);
    expect(Object.keys(shownHeadersOf(many))).toHaveLength(20);
  });
});
