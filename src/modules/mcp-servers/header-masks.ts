const DOTS = '••••';
/** Shorter values would be half shown by their last four characters. */
const SHOWN_FROM_LENGTH = 12;

export interface McpHeader {
  readonly name: string;
  readonly value: string;
}

/** What is shown of a header's value. */
export function maskedValue(value: string): string {
  return value.length < SHOWN_FROM_LENGTH ? DOTS : DOTS + value.slice(-4);
}

/**
 * Replaces masked values by the stored ones they stand for, so that what was read can be sent back. A header that is masked and
 * not stored is null.
 *
 * @param stored empty where the address is another one: a secret stays with the server it was given for
 */
export function unmasked(sent: readonly McpHeader[], stored: readonly McpHeader[]): (McpHeader | null)[] {
  return sent.map((header) => {
    if (!header.value.includes('•')) return header;
    const known = stored.find(
      ({ name, value }) =>
        name.toLowerCase() === header.name.toLowerCase() && maskedValue(value) === header.value,
    );
    return known ? { name: header.name, value: known.value } : null;
  });
}
