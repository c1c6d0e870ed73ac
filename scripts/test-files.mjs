// `npm run test:files [part of a name]`: documents of other projects, read from source and compared with a second reader.
import { spawnSync } from 'node:child_process';
import { showHelp } from './show-help.mjs';

showHelp(new URL('../test/long/files.ts', import.meta.url));
const run = spawnSync(process.execPath, ['--import', 'tsx', 'test/long/files.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
