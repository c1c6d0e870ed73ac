// `npm run test:phone [-- words]`: the SIP user agent against software of others (baresip, sipp, Kamailio) and against hostile
// traffic. Words choose rows by their titles. What is not installed is left out, and counted as skipped.
import { spawnSync } from 'node:child_process';

const run = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'test/phone/phone.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
process.exit(run.status ?? 1);
