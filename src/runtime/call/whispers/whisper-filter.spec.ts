import { describe, expect, it } from '@jest/globals';
import { WhisperFilter } from './whisper-filter.js';

const WHISPER = 'Ofereça ao cliente um desconto de dez por cento no plano anual.';
const OTHER = 'de dez por cento no plano mensal se ele quiser ficar';

/** What is said of an answer, however it is cut into pieces. */
function said(answer: string, size: number, ...whispers: readonly string[]): string {
  const filter = new WhisperFilter(whispers);
  let text = '';
  for (let at = 0; at < answer.length; at += size) text += filter.push(answer.slice(at, at + size));
  return text + filter.end();
}

describe('a filter of whispers', () => {
  it.each([1, 2, 3, 7, 20, 1_000])(
    'removes a quotation from an answer in pieces of %i characters',
    (size) => {
      const quotation = 'ofereça ao cliente um desconto de dez por cento no plano anual';
      expect(said(`Claro. ${quotation}. Mais algo?`, size, WHISPER)).toBe('Claro. Mais algo?');
      expect(said(quotation, size, WHISPER)).toBe('');
    },
  );

  it.each([1, 5, 1_000])('leaves seven words in a row, in pieces of %i characters', (size) => {
    const answer = 'Posso dar ao cliente um desconto de dez por, digamos, um ano.';
    expect(said(answer, size, WHISPER)).toBe(answer);
  });

  it('removes exactly eight words', () => {
    expect(said('Sim: um desconto de dez por cento no plano, claro', 4, WHISPER)).toBe('Sim: claro');
  });

  it('does not care for upper case, accents, marks and spaces', () => {
    expect(said('Bem, OFERECA  ao cliente – um *desconto* de "dez" por cento!\nOk?', 3, WHISPER)).toBe(
      'Bem, Ok?',
    );
  });

  it('keeps the spaces and line breaks of an answer without quotations', () => {
    const answer = '  Oi!\n\n- Um: ofereça ao cliente\n- Dois\n ';
    for (const size of [1, 4, 1_000]) expect(said(answer, size, WHISPER)).toBe(answer);
  });

  it('finds a quotation that begins within words that look like another one', () => {
    expect(said('ofereça ao ofereça ao cliente um desconto de dez por cento hoje', 5, WHISPER)).toBe(
      'ofereça ao hoje',
    );
  });

  it('removes what two whispers make together, and both of them', () => {
    const answer =
      'Oi. ofereça ao cliente um desconto de dez por cento no plano mensal se ele quiser ficar. Tchau';
    expect(said(answer, 6, WHISPER, OTHER)).toBe('Oi. Tchau');
  });

  it('removes what a quotation in between would join to a quotation', () => {
    const answer =
      'desconto de dez por cento no plano ofereça ao cliente um desconto de dez por cento anual sim';
    expect(said(answer, 3, WHISPER)).toBe('desconto de dez por cento no plano sim');
  });

  it('has nothing to remove of a whisper that is short', () => {
    expect(said('seja gentil com o cliente', 2, 'seja gentil com o cliente')).toBe(
      'seja gentil com o cliente',
    );
  });

  it('counts two characters of a script without spaces as a word', () => {
    const whisper = '请给客户提供年度套餐百分之十的折扣优惠';
    expect(said(`好的。${whisper}。再见`, 1, whisper)).toBe('好的。再见');
    expect(said('年度套餐百分之十', 3, whisper)).toBe('年度套餐百分之十');
  });

  it('lets words go as soon as they are no beginning of a quotation', () => {
    const filter = new WhisperFilter([WHISPER]);
    expect(filter.push('Sim, ofereça ao ')).toBe('Sim, ');
    expect(filter.push('senhor ')).toBe('ofereça ao senhor');
    expect(filter.push(' ')).toBe('');
    expect(filter.end()).toBe('  ');
  });

  it.each(['x', ' '])('holds back no more than a bounded piece of %j', (character) => {
    const filter = new WhisperFilter([WHISPER]);
    expect(filter.push(character.repeat(300))).toHaveLength(300);
  });
});
