// `npm run test:faults -- [leads] [kills] [workers]`: the long form of the dialler's fault tests, 2,000 leads and 30 kills
// unless given. `npm run test:faults -- full [FILE…]`: every test that has a short form among all tests, at full
// length. `npm run test:faults -- voice-kill`: fifty kills of the process that carries the sound of calls.
// `npm run test:faults -- sip-takeover [kills]`: fifty kills of the one with calls over SIP, which continue in
// another one.
// `npm run test:faults -- sip-kill [kills]`: thirty kills of all kinds of processes while a campaign calls customers of sipp.
// `npm run test:faults -- all [--only NAME,…] [--list]`: one part of the whole after another breaks under load.
import { spawnSync } from 'node:child_process';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

/** Those that ask test/support/length.ts. */
const SHORTENED = [
  'test/faults/chat-kill',
  'test/faults/first-start',
  'test/faults/idempotent-requests',
  'test/faults/ingestion-kill',
  'test/faults/sip-kill',
  'test/faults/sip-takeover',
  'test/faults/verification-kill',
  'test/faults/voice-kill',
  'test/faults/webhook-kill',
  'test/integration/hostile-documents',
  'test/integration/webhook-delivery',
  'test/voice/provider-faults',
];

const [first = '2000', ...rest] = process.argv.slice(2);
const [kills = '30', workers = '2'] = rest;
const FORMS = ['all', 'full', 'sip-kill', 'sip-takeover', 'voice-kill'];
if (!FORMS.includes(first) && [first, kills, workers].some((count) => !/^[1-9]\d{0,6}$/.test(count))) {
  console.error(`Leads, kills and workers are whole numbers; or say one of ${FORMS.join(', ')}.`);
  process.exit(2);
}
// Otherwise the test would kill no process, and pass.
if (first.startsWith('sip-') && rest.some((count) => !/^[1-9]\d{0,3}$/.test(count))) {
  console.error('Kills are a whole number.');
  process.exit(2);
}

function test(files, environment) {
  return spawnSync('npm', ['test', '--', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
}

function run() {
  if (first === 'all') {
    return spawnSync(process.execPath, ['scripts/test-long.mjs', 'faults', ...rest], { stdio: 'inherit' });
  }
  if (first === 'voice-kill') return test(['test/faults/voice-kill'], { PROSA_TEST_FULL: '1' });
  if (first === 'sip-kill') {
    const [most = '30'] = rest;
    return test(['test/faults/sip-kill'], { PROSA_TEST_FULL: '1', SIP_KILLS: most });
  }
  if (first === 'sip-takeover') {
    const [most = '50'] = rest;
    return test(['test/faults/sip-takeover'], { PROSA_TEST_FULL: '1', TAKEOVER_KILLS: most });
  }
  if (first === 'full') return test(rest.length > 0 ? rest : SHORTENED, { PROSA_TEST_FULL: '1' });
  return test(['test/faults/dialler.spec.ts'], {
    FAULT_LEADS: first,
    FAULT_KILLS: kills,
    FAULT_WORKERS: workers,
  });
}

process.exit(run().status ?? 1);
