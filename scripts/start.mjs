// `npm start`: builds when the sources are newer than the last build, then runs.
import { buildIfNeeded } from './build-if-needed.mjs';

await buildIfNeeded();
await import('../dist/main.js');
