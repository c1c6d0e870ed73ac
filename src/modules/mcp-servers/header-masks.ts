import { masked } from '../../common/text/masked.js';

export interface McpHeader {
  readonly name: string;
  readonly value: string;
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
      ({ name, value }) => name.toLowerCase() === header.name.toLowerCase() && masked(value) === header.value,
    );
    return known ? { name: header.name, value: known.value } : null;
  });
}
