import { addTokens, NO_TOKENS, type TokenSum } from './token-sum.js';

/** Tokens of the rows of a group; sums are null where no model has reported any. */
export interface TokenFigures extends TokenSum {
  /** Rows whose tokens are known. */
  readonly counted: number;
}

export const NO_TOKEN_FIGURES: TokenFigures = { counted: 0, ...NO_TOKENS };

/** Columns of {@link TOKENS_SQL}; sums stay far below 2^53. */
export interface TokensRow extends TokenSum {
  readonly tokensCounted: number;
}

/** SQL: the tokens of a group of calls or conversations. */
export const TOKENS_SQL = `count(input_tokens)::integer AS "tokensCounted", sum(input_tokens)::float8 AS "inputTokens",
         sum(cached_input_tokens)::float8 AS "cachedInputTokens", sum(output_tokens)::float8 AS "outputTokens"`;

export function tokenFiguresOf(rows: readonly TokensRow[]): TokenFigures {
  return rows.reduce<TokenFigures>(
    (sum, row) => ({
      counted: sum.counted + row.tokensCounted,
      ...addTokens(sum, row),
    }),
    NO_TOKEN_FIGURES,
  );
}
