/**
 * Adds a line to a list in a source.
 *
 * @param {string} text the source
 * @param {{ file: string, after: RegExp, line: string, before?: RegExp }} addition the new line goes below the last
 *   line that `after` matches. With `before`, only lines above its first match count; with `from`, only lines below its
 *   first match
 */
export function addTo(text, { file, after, from, before, line }) {
  const lines = text.split('\n');
  const start = from ? lines.findIndex((each) => from.test(each)) : 0;
  const end = before ? lines.findIndex((each, index) => index > start && before.test(each)) : lines.length;
  const place = start < 0 || end < 0 ? -1 : lines.slice(start, end).findLastIndex((each) => after.test(each));
  if (place < 0)
    throw new Error(`${file} has no line like ${after}: correct scripts/new-module/registrations.mjs`);
  return lines.toSpliced(start + place + 1, 0, line).join('\n');
}
