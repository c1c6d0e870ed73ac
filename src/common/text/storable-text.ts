/** Without NUL, which PostgreSQL refuses. For parts of a text, whose ends may be halves of a character. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** Text that PostgreSQL accepts in text and jsonb alike: no NUL, no half of a surrogate pair. */
export function storableText(text: string): string {
  return withoutNul(text).toWellFormed();
}
