// `npm run test:faults -- [leads] [kills] [workers]`: the long form of the dialler's fault tests, 2,000 leads and 30 kills
// unless told otherwise.
import { spawnSync } from 'node:child_process';

const [leads = '2000', kills = '30', workers = '2'] = process.argv.slice(2);
const run = spawnSync('npm', ['test', '--', 'test/faults/dialler.spec.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FAULT_LEADS: leads, FAULT_KILLS: kills, FAULT_WORKERS: workers },
});
process.exit(run.status ?? 1);
