// `npm run test:faults -- [leads] [kills] [workers]`: the long form of the dialler's fault tests, 2,000 leads and 30 kills
// unless told otherwise. `npm run test:faults -- all [--only NAME,…] [--list]`: one part of the whole after another breaks
// under load.
import { spawnSync } from 'node:child_process';

const [first = '2000', ...rest] = process.argv.slice(2);
const [kills = '30', workers = '2'] = rest;
const run =
  first === 'all'
    ? spawnSync(process.execPath, ['scripts/test-long.mjs', 'faults', ...rest], { stdio: 'inherit' })
    : spawnSync('npm', ['test', '--', 'test/faults/dialler.spec.ts'], {
        stdio: 'inherit',
        env: { ...process.env, FAULT_LEADS: first, FAULT_KILLS: kills, FAULT_WORKERS: workers },
      });
process.exit(run.status ?? 1);
