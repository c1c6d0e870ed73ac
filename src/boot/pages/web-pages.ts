import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages of the console, as `npm run build` leaves them. */
export const CONSOLE_FOLDER = fileURLToPath(new URL('../../../web/dist/console/', import.meta.url));

/** Whether this copy of the product has the console's pages. */
export function isConsoleBuilt(): boolean {
  return existsSync(join(CONSOLE_FOLDER, 'index.html'));
}
