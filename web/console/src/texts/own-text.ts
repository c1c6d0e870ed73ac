/**
 * A text by a name that others have chosen, or else the name itself. A name such as `constructor` is no text, though every
 * object has it.
 */
export function ownText(texts: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(texts, name) ? texts[name] : undefined) ?? name;
}
