// `node scripts/run.mjs cli/account …`: runs a compiled file of src/, built when needed.
import { buildIfNeeded } from './build-if-needed.mjs';
import { whenNpmEnds } from './npm-end.mjs';

const [file, ...rest] = process.argv.slice(2);
process.argv.splice(2, process.argv.length, ...rest);
whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
await buildIfNeeded();
await import(`../dist/${file}.js`);
