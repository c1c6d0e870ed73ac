const PLACEHOLDER = /\{\{([^{}\\]{1,240})\}\}/gu;

/** Fills in the variables of a conversation. A placeholder without a value stays, for the person to replace. */
export function fillReply(text: string, variables: Readonly<Record<string, unknown>> | null): string {
  const values = new Map(Object.entries(variables ?? {}).map(([name, value]) => [keyOf(name), value]));
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = values.get(keyOf(name));
    if (value === undefined || value === null || value === '') return whole;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** Names are found without regard to case, accents, blanks and signs, as in the texts of assistants. */
function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
