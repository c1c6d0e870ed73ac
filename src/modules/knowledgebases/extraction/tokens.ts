import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The tokenizer's work grows with the square of a word's length, so that no piece it gets may be long. */
const MAX_PIECE = 1_000;

/**
 * Tokens of a text after OpenAI's o200k encoding, which is close to what other models count. Cut into pieces where
 * it is very long, so that the sum can be a little high.
 */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length; start += MAX_PIECE) {
    tokens += countTokens(text.slice(start, start + MAX_PIECE), { allowedSpecial: 'all' });
  }
  return tokens;
}
