import { describe, expect, it } from '@jest/globals';
import { searchableText, searchedText } from './searchable-text.js';

describe('searchableText', () => {
  it.each([
    ['Informação e informações', 'informacao e informacoes'],
    ['É disponível? NÃO!', 'e disponivel? nao!'],
    ['Agência, urgências', 'agencia, urgencias'],
    ['Crème brûlée', 'creme brulee'],
  ])('is the same with accents and without: %s', (accented, plain) => {
    expect(searchableText(accented)).toBe(searchableText(plain));
  });

  it.each([
    ['full-width letters and digits', 'ＷｉＦｉ １２３', 'wifi 123'],
    ['half-width katakana', 'ｶﾞﾗｽ', 'ガラス'],
    ['vowel points of Hebrew', 'שָׁלוֹם', 'שלום'],
    ['vowel signs of Arabic', 'مَفْتُوح', 'مفتوح'],
    ['invisible characters', 'im\u00ADper\u200Bmeável', 'impermeável'],
    ['decomposed Korean', '영업'.normalize('NFD'), '영업'],
  ])('is the same for forms of one character: %s', (_name, form, plain) => {
    expect(searchableText(form)).toBe(searchableText(plain));
  });

  it.each(['हिन्दी', 'ガラス', 'ร้านค้า'])('keeps marks that are letters: %s', (word) => {
    expect(searchableText(word)).not.toBe(searchableText(word.normalize('NFD').replace(/\p{M}/gu, '')));
  });

  it('has words with a hyphen also without it, and leaves numbers alone', () => {
    expect(searchableText('guarda-roupa 4002-8922').split(' ')).toEqual([
      'guarda-roupa',
      'guardaroupa',
      '4002-8922',
    ]);
  });

  it.each([
    ['Japanese', '当店の営業時間は九時から', '営業時間'],
    ['Chinese', '我们的退货政策适用于所有商品', '退货政策'],
    ['Korean', '배송비는 무료입니다', '배송비'],
    ['Thai', 'ร้านเปิดทุกวันยกเว้นวันอาทิตย์', 'ทุกวัน'],
    ['Lao', 'ຮ້ານເປີດທຸກມື້', 'ທຸກມື້'],
    ['Khmer', 'ហាងបើករាល់ថ្ងៃ', 'រាល់ថ្ងៃ'],
    ['one ideograph', '水曜日は定休日です', '水'],
  ])('has all pairs of characters of a word within a sentence: %s', (_language, sentence, word) => {
    const indexed = new Set(searchableText(sentence).split(/\s+/));
    const [first = '', ...others] = searchedText(word).trim().split(/\s+/);

    expect([first, ...others].filter((pair) => !indexed.has(pair)).length).toBeLessThanOrEqual(1);
    expect(indexed.has(first)).toBe(true);
  });

  it('gives back the accents by which PostgreSQL tells endings and stop words', () => {
    expect(searchableText('informacoes nao disponiveis da agencia')).toBe(
      'informações não disponiveis da agência',
    );
  });

  it.each(['x', 'ß', 'अ', '漢'])('has no word that is too long for the database: %s', (character) => {
    const words = searchableText(character.repeat(5_000)).split(' ');

    expect(words.every((word) => Buffer.byteLength(word) < 2_000)).toBe(true);
    expect(words.join('').length).toBeGreaterThanOrEqual(5_000);
  });

  it('finds in a question what an older version has indexed', () => {
    expect(searchedText('영업시간').split(' ').at(-1)).toBe('영업시간'.normalize('NFKD'));
    expect(searchedText('opening hours')).toBe('opening hours');
  });
});
