// `node scripts/helm-schemas.mjs`: writes scripts/helm/schemas, by which `npm run test:helm` checks the objects of the Helm chart:
// those of Kubernetes from its OpenAPI document, and those of the Prometheus operator from its definitions. Both come from Go modules.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const KUBERNETES = 'k8s.io/kubernetes@v1.34.4';
const OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const FOLDER = 'scripts/helm/schemas';

/** Kinds of the chart, by the names of their definitions. */
const KINDS = {
  ConfigMap: 'io.k8s.api.core.v1.ConfigMap',
  Deployment: 'io.k8s.api.apps.v1.Deployment',
  HorizontalPodAutoscaler: 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  Ingress: 'io.k8s.api.networking.v1.Ingress',
  Job: 'io.k8s.api.batch.v1.Job',
  NetworkPolicy: 'io.k8s.api.networking.v1.NetworkPolicy',
  PodDisruptionBudget: 'io.k8s.api.policy.v1.PodDisruptionBudget',
  Service: 'io.k8s.api.core.v1.Service',
  StatefulSet: 'io.k8s.api.apps.v1.StatefulSet',
};
const OPERATOR_KINDS = { PrometheusRule: 'prometheusrules', ServiceMonitor: 'servicemonitors' };
/** Types that are written as another one than their definition says. */
const WRITTEN_AS = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['number', 'string'] },
};

function folderOf(module) {
  const { status, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', module], {
    encoding: 'utf8',
  });
  if (status === 0) return JSON.parse(stdout).Dir;
  console.error(`The module ${module} was not downloaded: ${stderr || stdout || 'is Go installed?'}`);
  process.exit(1);
}

/** Without descriptions and extensions, which no check reads, and closed: a misspelt field is an error. */
function reduced(value, name = '') {
  if (Array.isArray(value)) return value.map((each) => reduced(each));
  if (value === null || typeof value !== 'object') return value;
  const isNames = name === 'properties' || name === 'definitions';
  const entries = Object.entries(value)
    .filter(([key]) => isNames || (key !== 'description' && !key.startsWith('x-')))
    .map(([key, each]) => [key, reduced(each, isNames ? '' : key)]);
  const isOpen = isNames || !value.properties || 'additionalProperties' in value;
  return Object.fromEntries([...entries, ...(isOpen ? [] : [['additionalProperties', false]])]);
}

function namesIn(schema) {
  return [...JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name);
}

/** The definition with those that it needs. */
function withDefinitions(all, name) {
  const needed = new Map();
  const add = (each) => {
    if (needed.has(each)) return;
    needed.set(each, WRITTEN_AS[each] ?? reduced(all[each]));
    namesIn(needed.get(each)).forEach(add);
  };
  add(name);
  const sorted = [...needed].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return { $ref: `#/definitions/${name}`, definitions: Object.fromEntries(sorted) };
}

function write(kind, version, schema) {
  const file = join(FOLDER, `${kind.toLowerCase()}-${version}.json`);
  writeFileSync(file, `${JSON.stringify(schema)}\n`);
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const openApi = join(folderOf(KUBERNETES), 'api/openapi-spec/swagger.json');
const { definitions } = JSON.parse(readFileSync(openApi, 'utf8'));
for (const [kind, name] of Object.entries(KINDS)) {
  write(kind, name.split('.').at(-2), withDefinitions(definitions, name));
}
const operator = folderOf(OPERATOR);
for (const [kind, plural] of Object.entries(OPERATOR_KINDS)) {
  const file = join(operator, 'example/prometheus-operator-crd', `monitoring.coreos.com_${plural}.yaml`);
  const { spec } = parse(readFileSync(file, 'utf8'));
  const { schema } = spec.versions.find(({ name }) => name === 'v1');
  const { metadata, ...properties } = reduced(schema.openAPIV3Schema).properties;
  write(kind, 'v1', {
    type: 'object',
    required: ['spec'],
    properties: { ...properties, metadata },
    additionalProperties: false,
  });
}
