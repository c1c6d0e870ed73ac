import { readFileSync } from 'node:fs';

/** Of package.json, which stands above the compiled sources as above these. */
export function productVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
