/** A key cap: the character that it shows, and the marks that make a picture of it. */
const KEY_CAP = /([#*0-9])\uFE0F?\u20E3/g;

/**
 * Pictures, with the marks that vary and join them: skin tones, flags, families. © ® ™ ‼ and ⁉ are text unless a mark asks for
 * the picture. Joiners without a picture belong to scripts such as Devanagari, and are kept.
 */
const PICTURES =
  /(?:(?:(?![©®™‼⁉](?!\uFE0F))\p{Extended_Pictographic}|\p{Regional_Indicator})[\p{Emoji_Modifier}\p{Variation_Selector}\p{Join_Control}\p{Me}\u{E0020}-\u{E007F}]*)+/gu;

/** Marks whose picture is missing. */
const STRAY_MARKS = /[\p{Emoji_Modifier}\uFE0E-\uFE0F\p{Me}\u{E0020}-\u{E007F}]/gu;

/** A picture between a word and its full stop. */
const GAP_BEFORE_MARK = / {1,8}(?=[.,;:!?…])/g;

/** Replaces key caps by the characters they show, escaped where Markdown would read them as marks. */
export function withoutKeyCaps(markdown: string): string {
  return markdown.includes('\u20E3')
    ? markdown.replace(KEY_CAP, (_cap, key: string) => (/\d/.test(key) ? key : `\\${key}`))
    : markdown;
}

/** Removes emoji, and the space that they leave in front of punctuation. */
export function withoutEmoji(text: string): string {
  const plain = text.replace(PICTURES, '').replace(STRAY_MARKS, '');
  return plain.length === text.length ? text : plain.replace(GAP_BEFORE_MARK, '');
}
