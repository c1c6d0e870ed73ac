import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CONSOLE_PAGE = fileURLToPath(new URL('../../web/dist/console/index.html', import.meta.url));

/** Whether this copy of the product has the console's pages. */
export function isConsoleBuilt(): boolean {
  return existsSync(CONSOLE_PAGE);
}
