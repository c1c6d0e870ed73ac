/** Languages the API speaks. Which one is decided by the route family, see `common/errors/route-families.ts`. */
export const LANGUAGES = ['pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export type TextParams = Readonly<Record<string, string | number>>;

/** One text in every language; `{name}` is filled from the parameters. */
export interface TextEntry {
  readonly pt: string;
  readonly en: string;
  /** The words of our own pages, where the contract fixes those of the answer. */
  readonly pages?: Readonly<Record<Language, string>>;
}

/** Names a text of the catalogue with its parameters; becomes words only at the edge. */
export interface TextRef<Key extends string = string> {
  readonly key: Key;
  readonly params?: TextParams;
}

/** Texts by key. */
export interface TextCollection {
  readonly entries: Readonly<Record<string, TextEntry>>;
}
