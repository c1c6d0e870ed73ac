// `npm run test:helm`: checks the chart in docker/helm/prosa with the real `helm`, and each object it makes with `kubeconform` by the
// schemas in scripts/helm/schemas. Go builds both once, into the user's cache folder; that takes some minutes and the network.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const CHART = 'docker/helm/prosa';
const SCHEMAS = 'scripts/helm/schemas/{{.ResourceKind}}-{{.ResourceAPIVersion}}.json';
/** Of the schemas. */
const KUBERNETES = '1.34.0';
const PROGRAMS = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
};
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'prosa');

/** Values that the chart must render, and what must be in the result. */
const CASES = [
  { name: 'default values', values: [], objects: 10, contains: ['terminationGracePeriodSeconds: 220'] },
  {
    name: 'ci/full-values.yaml',
    values: ['-f', join(CHART, 'ci/full-values.yaml')],
    objects: 20,
    contains: ['name: prosa_event_streams', 'alert: ProsaDown', 'value: "https://prosa.example"'],
  },
  {
    name: 'ci/sip-values.yaml',
    values: ['-f', join(CHART, 'ci/sip-values.yaml')],
    objects: 8,
    contains: ['hostNetwork: true', 'value: "$(POD_IP):5060"', 'terminationGracePeriodSeconds: 1065'],
  },
  {
    name: 'no stop delay and no calls',
    values: ['--set', 'shutdown.delaySeconds=0,shutdown.callDrainSeconds=0,shutdown.timeoutSeconds=1'],
    objects: 10,
    contains: ['terminationGracePeriodSeconds: 32'],
  },
];
/** Values that the chart must refuse. */
const REFUSED = [
  ['--set', 'config.PROSA_ROLES=api'],
  ['--set', 'api.autoscalling.enabled=true'],
  ['--set', 'shutdown.timeoutSeconds=0'],
];

function programOf(name) {
  const [, version] = PROGRAMS[name].split('@');
  const folder = join(cache, `${name}-${version}`);
  const program = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
  if (existsSync(program)) return program;
  if (spawnSync('go', ['version']).status !== 0) {
    console.error(
      `test:helm: nothing was tested. Go is missing, which builds ${name} ${version} (https://go.dev/dl).`,
    );
    process.exit(1);
  }
  console.log(`Building ${name} ${version} into ${folder} (first time only)…`);
  mkdirSync(folder, { recursive: true });
  const lanes = String(Math.max(Math.floor(availableParallelism() / 2), 1));
  const { status } = spawnSync('go', ['install', '-p', lanes, PROGRAMS[name]], {
    stdio: 'inherit',
    env: { ...process.env, GOBIN: folder, GOTOOLCHAIN: 'auto' },
  });
  if (status !== 0) {
    console.error(`test:helm: nothing was tested. Go could not build ${PROGRAMS[name]}.`);
    process.exit(1);
  }
  return program;
}

const helm = programOf('helm');
const kubeconform = programOf('kubeconform');
let failures = 0;

function report(name, problem) {
  console.log(`${problem ? '✗' : '✓'} ${name}${problem ? `\n${problem}` : ''}`);
  if (problem) failures += 1;
}

function run(program, args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    input,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { isOk: status === 0, stdout, said: `${stdout}${stderr}` };
}

function template(values) {
  return run(helm, ['template', 'prosa', CHART, '--kube-version', KUBERNETES, ...values]);
}

/** What is wrong with the chart under these values; null for nothing. */
function problemOf({ values, objects, contains }) {
  const linted = run(helm, ['lint', '--strict', '--kube-version', KUBERNETES, CHART, ...values]);
  if (!linted.isOk) return linted.said;
  const rendered = template(values);
  if (!rendered.isOk) return rendered.said;
  const missing = contains.filter((text) => !rendered.stdout.includes(text));
  if (missing.length > 0) return `Not in the result: ${missing.join(', ')}`;
  const args = ['-strict', '-output', 'json', '-summary', '-schema-location', SCHEMAS];
  const checked = run(kubeconform, args, rendered.stdout);
  if (!checked.isOk) return checked.said;
  const { valid, skipped } = JSON.parse(checked.stdout).summary;
  if (valid === objects && skipped === 0) return null;
  return `${valid} valid objects and ${skipped} skipped ones; ${objects} and 0 were expected.`;
}

for (const each of CASES) report(each.name, problemOf(each));
for (const values of REFUSED) {
  report(`refuses ${values.join(' ')}`, template(values).isOk ? 'The chart took it.' : null);
}
process.exit(failures > 0 ? 1 : 0);
