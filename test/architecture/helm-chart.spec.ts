import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { environmentSchema } from '../../src/config/environment.js';
import { SECRETS } from '../../src/config/secret-files.js';

const CHART = 'docker/helm/prosa';
const read = (name: string) => readFileSync(join(CHART, name), 'utf8');
const VARIABLES = Object.keys(environmentSchema.shape);

interface Values {
  readonly secretKeys: readonly string[];
  readonly config: Record<string, string>;
  readonly migrate: { readonly secretKey: string };
  readonly shutdown: Record<'delaySeconds' | 'callDrainSeconds' | 'timeoutSeconds', number>;
}

interface Schema {
  readonly properties: { readonly config: { readonly propertyNames: { readonly not: { enum: string[] } } } };
}

/** `npm run test:helm` renders the chart with Helm. This holds without it. */
describe('the Helm chart', () => {
  const templates = readdirSync(join(CHART, 'templates')).map((name) => read(join('templates', name)));
  const helpers = read('templates/_helpers.tpl');
  const values = parse(read('values.yaml')) as Values;
  const valuesOfTests = readdirSync(join(CHART, 'ci')).map(
    (name) => parse(read(join('ci', name))) as Partial<Values>,
  );
  /** Variables that the chart itself sets. */
  const own = templates
    .flatMap((text) => [...text.matchAll(/"([A-Z][A-Z0-9_]+)"/g)].map(([, name = '']) => name))
    .filter((name, at, all) => all.indexOf(name) === at);

  it('has the version of the product, whose images it names', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('has the rules of alerts and the dashboard that Compose has', () => {
    const hint =
      'copy docker/prometheus/alerts.yaml and docker/grafana/prosa.json to docker/helm/prosa/files';
    const same = [
      read('files/alerts.yaml') === readFileSync('docker/prometheus/alerts.yaml', 'utf8'),
      read('files/dashboard.json') === readFileSync('docker/grafana/prosa.json', 'utf8'),
    ];
    expect({ hint, same }).toEqual({ hint, same: [true, true] });
  });

  it('sets variables that the product reads, and secrets that may be in files', () => {
    expect(own.length).toBeGreaterThan(12);
    expect(own.filter((name) => !VARIABLES.includes(name))).toEqual([]);
    const configured = valuesOfTests.flatMap(({ config = {} }) => Object.keys(config));
    expect(configured.filter((name) => !VARIABLES.includes(name))).toEqual([]);
    const keys = [values, ...valuesOfTests].flatMap(({ secretKeys = [] }) => secretKeys);
    expect(keys.filter((name) => !SECRETS.some((secret) => secret === name))).toEqual([]);
    expect(values.secretKeys).toEqual(['DATABASE_URL', 'ENCRYPTION_KEY']);
  });

  it('refuses variables in config that it sets itself, but for addresses that a proxy outside may need', () => {
    const { properties } = JSON.parse(read('values.schema.json')) as Schema;
    const refused = properties.config.propertyNames.not.enum;
    expect(own.filter((name) => !refused.includes(name))).toEqual(['PUBLIC_URL', 'TRUST_PROXY']);
    expect(refused.filter((name) => !VARIABLES.includes(name))).toEqual([]);
  });

  it('migrates with a command that is there, under an address that no other process gets', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    expect(scripts).toHaveProperty('migrate');
    expect(read('templates/migrate-job.yaml')).toContain('command: [npm, run, migrate]');
    expect(SECRETS).toContain(values.migrate.secretKey);
    expect(values.secretKeys).not.toContain(values.migrate.secretKey);
    expect(values.config).toEqual({});
  });

  it('gives a pod the time that its stop may take, and no second delay', () => {
    expect(helpers).toContain('add .delaySeconds .callDrainSeconds (mul 2 .timeoutSeconds) 30');
    const { CALL_DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS } = environmentSchema.parse({});
    expect(values.shutdown).toEqual({
      delaySeconds: 10,
      callDrainSeconds: CALL_DRAIN_SECONDS,
      timeoutSeconds: SHUTDOWN_TIMEOUT_SECONDS,
    });
    expect(templates.join('\n')).not.toContain('preStop');
  });
});
