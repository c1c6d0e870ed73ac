import { describe, expect, it } from '@jest/globals';
import type { Block } from './block.js';
import { chunk } from './chunker.js';
import { tokensOf } from './tokens.js';

const heading = (text: string, level = 1): Block => ({ kind: 'heading', level, text });
const words = (count: number, word = 'palavra') =>
  Array.from({ length: count }, (_, n) => `${word}${n}`).join(' ');
const paragraph = (text: string): Block => ({ kind: 'text', text });

describe('chunk', () => {
  it('names title and headings above a passage, each once', () => {
    const [passage] = chunk({
      title: 'Guia',
      blocks: [heading('Guia'), heading('Entrega', 2), heading('Prazos', 3), paragraph('Dois dias.')],
    });

    expect(passage).toMatchObject({ headings: ['Guia', 'Entrega', 'Prazos'], content: 'Dois dias.' });
  });

  it('begins a new passage at a heading, unless the one before is small', () => {
    const large = chunk({
      title: '',
      blocks: [heading('A'), paragraph(words(60)), heading('B'), paragraph('b')],
    });
    const small = chunk({ title: '', blocks: [heading('A'), paragraph('a'), heading('B'), paragraph('b')] });

    expect(large.map(({ headings }) => headings)).toEqual([['A'], ['B']]);
    expect(small).toHaveLength(1);
    expect(small[0]).toMatchObject({ headings: ['A'], content: 'a\nB\nb' });
  });

  it('keeps headings that have no text below them, in their order', () => {
    const [only, ...others] = chunk({
      title: '',
      blocks: [
        heading('Combo A'),
        heading('$ 12'),
        heading('Combo B'),
        heading('Drinks', 2),
        heading('$ 3', 3),
      ],
    });
    const passages = chunk({ title: '', blocks: [paragraph(words(60)), heading('Notes'), heading('End')] });

    expect(others).toEqual([]);
    expect(only).toMatchObject({ headings: [], content: 'Combo A\n$ 12\nCombo B\nDrinks\n$ 3' });
    expect(passages.at(-1)?.content).toBe('Notes\nEnd');
  });

  it('cuts a long paragraph between sentences, repeats the last one, and loses nothing', () => {
    const sentences = Array.from(
      { length: 60 },
      (_, n) => `Esta é a frase de número ${n} do longo parágrafo.`,
    );

    const passages = chunk({ title: '', blocks: [paragraph(sentences.join(' '))] });

    expect(passages.length).toBeGreaterThan(1);
    for (const sentence of sentences) {
      expect(passages.some(({ content }) => content.includes(sentence))).toBe(true);
    }
    const lastOfFirst = passages[0]?.content.split(/(?<=\.) /).at(-1) ?? '';
    expect(passages[1]?.content.startsWith(lastOfFirst)).toBe(true);
  });

  it('keeps passages within their size, measured in tokens', () => {
    const passages = chunk({ title: 'T', blocks: [paragraph(words(3_000)), paragraph('x'.repeat(9_000))] });

    for (const { content, tokens } of passages) {
      expect(tokensOf(content)).toBeLessThanOrEqual(400);
      expect(Math.abs(tokens - tokensOf(content))).toBeLessThan(60);
    }
  });

  it.each([
    ['A entrega é feita em até dois dias e não tem custo para você.', 'portuguese'],
    ['The delivery takes two days and it is free for you.', 'english'],
    ['La entrega se hace en dos días y no tiene costo para usted.', 'spanish'],
    ['12345 67890', 'simple'],
  ])('tells the language of a passage: %s', (text, language) => {
    expect(chunk({ title: '', blocks: [paragraph(text)] })[0]?.language).toBe(language);
  });

  it('believes a file about its language where the text decides nothing', () => {
    expect(chunk({ title: '', blocks: [paragraph('Corte: 40')], language: 'portuguese' })[0]?.language).toBe(
      'portuguese',
    );
  });
});
