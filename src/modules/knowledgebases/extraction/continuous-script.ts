/** Scripts that are written without spaces between words. */
const CONTINUOUS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC\u3001-\u3003\u3008-\u3011\uFF01\uFF0C\uFF1A\uFF1B\uFF1F]/u;

/** Whether a text has letters of a script in which words are not parted by spaces. */
export function isContinuousScript(text: string): boolean {
  return CONTINUOUS.test(text);
}
