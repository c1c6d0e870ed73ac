export const MOST_TAGS = 10;
export const MAX_TAG_LENGTH = 40;

/** With another tag, unless it is empty or there already. */
export function tagsWith(tags: readonly string[], typed: string): readonly string[] {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? tags : [...tags, tag];
}
