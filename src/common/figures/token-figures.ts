/** Tokens of the rows of a group; sums are null where no model has told any. */
export interface TokenFigures {
  /** Rows whose tokens are known. */
  readonly counted: number;
  readonly inputTokens: number | null;
  /** Of the input, those that providers had kept; of the rows for which they told it. */
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
}

export const NO_TOKEN_FIGURES: TokenFigures = {
  counted: 0,
  inputTokens: null,
  cachedInputTokens: null,
  outputTokens: null,
};

/** Columns of {@link TOKENS_SQL}; sums stay far below 2^53. */
export interface TokensRow extends Omit<TokenFigures, 'counted'> {
  readonly tokensCounted: number;
}

/** SQL: the tokens of a group of calls or conversations. */
export const TOKENS_SQL = `count(input_tokens)::integer AS "tokensCounted", sum(input_tokens)::float8 AS "inputTokens",
         sum(cached_input_tokens)::float8 AS "cachedInputTokens", sum(output_tokens)::float8 AS "outputTokens"`;

export function tokenFiguresOf(rows: readonly TokensRow[]): TokenFigures {
  return rows.reduce<TokenFigures>(
    (sum, row) => ({
      counted: sum.counted + row.tokensCounted,
      inputTokens: sumOf(sum.inputTokens, row.inputTokens),
      cachedInputTokens: sumOf(sum.cachedInputTokens, row.cachedInputTokens),
      outputTokens: sumOf(sum.outputTokens, row.outputTokens),
    }),
    NO_TOKEN_FIGURES,
  );
}

function sumOf(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}
