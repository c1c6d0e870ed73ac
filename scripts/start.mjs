// `npm start`: builds when the sources are newer than the last build, then runs, and starts anew after an unexpected end.
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build-if-needed.mjs';
import { supervise } from './supervisor.mjs';

process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

await buildIfNeeded({ pages: true });
process.exit(await supervise(fileURLToPath(new URL('../dist/main.js', import.meta.url))));
