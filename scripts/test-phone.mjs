// `npm run test:phone [-- all | words]`: the product and its SIP user agent against software of others (baresip, sipp,
// Kamailio). `all` adds the long rows: loss, floods, hostile traffic. Words choose rows by their titles. What is not
// installed is left out, and counted as skipped.
import { spawn } from 'node:child_process';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const run = spawn(process.execPath, ['--import', 'tsx', 'test/phone/phone.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A signal to this process ends what it runs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => run.kill(signal));
run.once('exit', (code) => process.exit(code ?? 1));
