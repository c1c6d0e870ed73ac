import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** PEM of a variable, and the file it is from; null where the variable holds the text itself. */
export interface Pem {
  readonly text: string;
  readonly file: string | null;
}

/** Text as it is or with `\\n` for line ends, else the path of a file that holds it. Null for neither. */
export function pemOf(value: string): Pem | null {
  if (value.includes('-----BEGIN')) return { text: value.replaceAll('\\n', '\n'), file: null };
  try {
    const text = readFileSync(value, 'utf8');
    return text.includes('-----BEGIN') ? { text, file: value } : null;
  } catch {
    return null;
  }
}

/** What is in the file now. Rejects with what the system says when it cannot be read. */
export async function rereadPem({ text, file }: Pem): Promise<string> {
  return file === null ? text : readFile(file, 'utf8');
}
