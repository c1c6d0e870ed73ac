import { describe, expect, it } from '@jest/globals';
import { hasVisibleText } from './visible-text.js';

describe('hasVisibleText', () => {
  it.each([
    ['nothing', ''],
    ['spaces of all kinds', ' \t\n\u{A0}\u{2003}\u{3000}\u{2028}\u{85}'],
    ['zero-width characters', '\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}'],
    ['marks of direction', '\u{200E}\u{200F}\u{202A}\u{202C}\u{2066}\u{2069}\u{61C}'],
    ['soft hyphens', '\u{AD}\u{AD}'],
    ['Hangul fillers', '\u{3164}\u{115F}\u{1160}\u{FFA0}'],
    ['the blank Braille pattern', '\u{2800}'],
    ['variation selectors and tags', '\u{FE0F}\u{E0001}\u{E0020}\u{E0100}'],
    ['the Mongolian vowel separator', '\u{180E}'],
    ['control characters', '\u{0}\u{1}\u{7F}\u{9F}'],
    ['an invisible mix', '\u{200B} \u{3164}\n\u{2064}\u{34F}'],
  ])('finds none in %s', (_what, text) => {
    expect(hasVisibleText(text)).toBe(false);
  });

  it.each(['.', '?', '👍', '👨‍👩‍👧', '🇧🇷', 'ㄱ', '⠁', '日', 'é', '\u{200B}a', '٣', '1️⃣', '\u{202B}שלום'])(
    'finds some in %s',
    (text) => {
      expect(hasVisibleText(text)).toBe(true);
    },
  );
});
