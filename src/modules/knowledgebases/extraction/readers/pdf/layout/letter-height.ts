/** The letter height that most of the text has, in points. */
export function letterHeightOf(texts: readonly { readonly height: number; readonly text: string }[]): number {
  const characters = new Map<number, number>();
  for (const { height, text } of texts) {
    const rounded = Math.round(height * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  return [...characters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
