import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { satisfies } from 'semver';
import { parse } from 'yaml';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import { configFrom } from '../../src/config/config-from.js';
import { environmentSchema, parseEnvironment } from '../../src/config/environment.js';
import { SECRETS } from '../../src/config/secret-files.js';
import { TestApp } from '../support/app.js';
import { Dockerfile } from '../support/dockerfile.js';
import { imageFolder } from '../support/image-folder.js';
import { buildProduct } from '../support/prosa-process.js';

/** Of Prometheus and the shell, and no variables of the product. */
const OTHERS = new Set(['NODE_ENV', 'NODE_OPTIONS', 'PATH']);
const VARIABLES = Object.keys(environmentSchema.shape);
const KNOWN = [...VARIABLES, ...SECRETS.map((name) => `${name}_FILE`)];
const KEY = Buffer.alloc(32, 1).toString('base64');

/** The first release of its long-term support. */
const OLDEST_NODE_24 = '24.11.0';

/** What a container has to close when everything has ended or was cut off. */
const CLOSING_MS = 40_000;

/** Variables that the roles in the compose file do not take from outside, and why. */
const NOT_FROM_OUTSIDE: Readonly<Record<string, string>> = {
  PROSA_ROLES: 'each service is a role',
  HOST: 'of the image: all addresses of the container',
  PORT: 'the port that is published',
  OPERATIONS_PORT: 'of the image: what its health check and Prometheus ask',
  DATA_DIR: 'the volume',
  DATABASE_URL: 'a secret of the file',
  ENCRYPTION_KEY: 'a secret of the file',
  MIGRATION_DATABASE_URL: 'of commands alone: the role of the file owns the tables',
  EMBEDDED_PG_PORT: 'no embedded database',
  VOICE_PROCESSES: 'the service voice, which is scaled',
  VOICE_LISTEN: 'within the network of the file',
  VOICE_ADDRESS: 'the name of the container',
  SIP_LISTEN: 'SIP and its sound need the network of the machine, not one of containers',
  SIP_PUBLIC_ADDRESS: 'as SIP_LISTEN',
  SIP_PROXY: 'as SIP_LISTEN',
  SIP_PROCESS_PORTS: 'as SIP_LISTEN',
  SIP_WIDEBAND: 'as SIP_LISTEN',
  SIP_WIDE_RANGES: 'as SIP_LISTEN',
  SIP_TLS_PORT: 'as SIP_LISTEN',
  SIP_TLS_KEY: 'as SIP_LISTEN',
  SIP_TLS_CERT: 'as SIP_LISTEN',
  SIP_TLS_CA: 'as SIP_LISTEN',
  RTP_PORTS: 'as SIP_LISTEN',
  AWS_ROLE_ARN: 'a cluster gives it to its pods',
  AWS_ROLE_SESSION_NAME: 'as AWS_ROLE_ARN',
  AWS_WEB_IDENTITY_TOKEN_FILE: 'as AWS_ROLE_ARN',
  AWS_ENDPOINT_URL_STS: 'as AWS_ROLE_ARN',
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: 'as AWS_ROLE_ARN',
  AWS_CONTAINER_CREDENTIALS_FULL_URI: 'as AWS_ROLE_ARN',
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: 'as AWS_ROLE_ARN',
  AWS_EC2_METADATA_SERVICE_ENDPOINT: 'the address of every machine',
};

interface Service {
  environment?: Record<string, string | null>;
  build?: { target?: string };
  cap_drop?: string[];
  mem_limit?: string;
  pids_limit?: number;
  read_only?: boolean;
  secrets?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  volumes?: string[];
  stop_grace_period?: string;
  profiles?: string[];
}

interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

const readCompose = async () =>
  parse(await readFile('docker/compose.yaml', 'utf8'), { merge: true }) as Compose;

/** The files of secrets that an environment names. */
const filesIn = (environment: Record<string, string | null>) =>
  Object.entries(environment)
    .filter(([name]) => name.endsWith('_FILE') && !VARIABLES.includes(name))
    .map(([, path]) => path ?? '');

/** The services of the compose file that are Prosa. */
const rolesOf = ({ services }: Compose) =>
  Object.values(services).filter(({ environment }) => environment?.PROSA_ROLES);

/** Whether compose takes it from the shell or from `.env`. */
const isFromOutside = ([name, value]: [string, string | null]) =>
  value === null || value.includes(`\${${name}`);

const PROMQL = new Set(
  'absent,by,time,rate,increase,sum,max,min,avg,histogram_quantile,without,on,ignoring,and,or,unless,le,bool,offset'.split(
    ',',
  ),
);

/** Names of metrics in an expression: words that are no function, no label and no text. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '');
  return (bare.match(/(?<![\w.])[a-zA-Z_:][\w:]*/g) ?? []).filter((word) => !PROMQL.has(word));
}

/** What `{…}` asks for in an expression, by metric. */
function labelsIn(expression: string): { metric: string; labels: string[] }[] {
  return [...expression.matchAll(/([a-z_]+)\{([^}]*)\}/g)].map(([, metric = '', inside = '']) => ({
    metric,
    labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
}

interface Rules {
  groups: {
    rules: {
      alert: string;
      expr: string;
      labels: object;
      annotations: { summary: string; runbook: string };
    }[];
  }[];
}

describe('the dashboard and the alert rules', () => {
  let app: TestApp;
  /** Metrics as Prometheus stores them. */
  let exported: Set<string>;
  let expressions: { of: string; expr: string }[];

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice', SIP_LISTEN: '127.0.0.1:0' });
    const text = await app.app.get(MetricsService).read();
    exported = new Set(['up']);
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      if (type === 'histogram')
        for (const part of ['bucket', 'count', 'sum']) exported.add(`${name}_${part}`);
      else exported.add(name);
    }
    const dashboard = JSON.parse(await readFile('docker/grafana/prosa.json', 'utf8')) as {
      panels: { title: string; targets?: { expr: string }[] }[];
    };
    const rules = parse(await readFile('docker/prometheus/alerts.yaml', 'utf8')) as Rules;
    expressions = [
      ...dashboard.panels.flatMap(({ title, targets = [] }) =>
        targets.map(({ expr }) => ({ of: title, expr })),
      ),
      ...rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => ({ of: alert, expr }))),
    ];
  }, 60_000);
  afterAll(() => app.stop());

  it('ask for metrics alone that the product shows', () => {
    expect(expressions.length).toBeGreaterThan(40);
    const unknown = expressions.flatMap(({ of, expr }) =>
      metricsIn(expr)
        .filter((name) => !exported.has(name))
        .map((name) => `${of}: ${name}`),
    );
    expect(unknown).toEqual([]);
    // The reading of expressions itself: it sees what is wrong.
    expect(metricsIn('sum by (x) (rate(prosa_no_such{a="b"}[5m])) / 1e6')).toEqual(['prosa_no_such']);
  });

  it('find a total in each counter alone, and in no measure that can fall', async () => {
    const text = await app.app.get(MetricsService).read();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
      name,
      type,
    }));
    expect(types.length).toBeGreaterThan(60);
    // Those of Node.js are named by the library.
    const own = types.filter(({ name }) => !name.startsWith('nodejs_'));
    const wrong = own.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'));
    expect(wrong).toEqual([]);
    const help = [...text.matchAll(/^# HELP (\S+) .*since the start/gm)].map(([, name = '']) => name);
    expect(help.filter((name) => !name.endsWith('_total'))).toEqual([]);
  });

  it('have a section in the runbook for each alert, and no other', async () => {
    const rules = parse(await readFile('docker/prometheus/alerts.yaml', 'utf8')) as Rules;
    const alerts = rules.groups.flatMap((group) => group.rules);
    const runbook = await readFile('docs/how-to/runbook.md', 'utf8');
    const sections = [...runbook.matchAll(/^## (\S+)$/gm)].map(([, name = '']) => name);
    expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    expect(alerts.map(({ annotations }) => annotations.runbook)).toEqual(
      alerts.map(({ alert }) => `docs/how-to/runbook.md#${alert.toLowerCase()}`),
    );
  });

  it('show every measure that is named for operators', () => {
    const used = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)));
    const named = [
      'prosa_calls_live',
      'prosa_dials_total',
      'prosa_queue_lag_seconds',
      'prosa_webhooks_pending',
      'prosa_webhooks_overdue_seconds',
      'prosa_model_seconds_bucket',
      'prosa_tool_seconds_bucket',
      'prosa_call_turn_seconds_bucket',
      'prosa_chat_turn_seconds_bucket',
      'prosa_wallet_micros_total',
      'prosa_database_connections',
      'nodejs_eventloop_lag_p99_seconds',
    ];
    expect(named.filter((name) => !used.has(name))).toEqual([]);
  });

  it('ask for labels that their metrics have', async () => {
    const text = await app.app.get(MetricsService).read();
    const wrong = expressions.flatMap(({ of, expr }) =>
      labelsIn(expr).flatMap(({ metric, labels }) => {
        const line = text.split('\n').find((each) => each.startsWith(`${metric}{`));
        // Nothing has happened yet that this metric tells of.
        if (!line) return [];
        return labels.filter((label) => !line.includes(`${label}="`)).map((label) => `${of}: ${label}`);
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the files that start Prosa', () => {
  it('compose: each role has a service, the variables are known, and the data has volumes', async () => {
    const compose = await readCompose();
    const own = rolesOf(compose);
    expect(own.map(({ environment }) => environment?.PROSA_ROLES ?? '').toSorted()).toEqual([
      'api',
      'voice',
      'worker',
    ]);
    for (const { environment = {}, secrets = [], volumes } of own) {
      const unknown = Object.keys(environment).filter((name) => !KNOWN.includes(name));
      expect(unknown.filter((name) => !name.startsWith('OTEL_'))).toEqual([]);
      expect(filesIn(environment)).toEqual(secrets.map((name) => `/run/secrets/${name}`));
      // What compose fills in is given, and the secrets are.
      const filled = Object.entries(environment).map(([name, value]) => [
        name.replace(/_FILE$/, ''),
        value
          ?.replace(/\$\{\w+:-(\w+)\}/, '$1')
          .replace('/run/secrets/encryption_key', KEY)
          .replace('/run/secrets/database_url', 'postgres://prosa@database/prosa'),
      ]);
      expect(() => configFrom(parseEnvironment(Object.fromEntries(filled)))).not.toThrow();
      expect(volumes).toEqual(['files:/app/.prosa']);
    }
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
    const named = mounts.map((mount) => mount.split(':')[0] ?? '').filter((name) => !name.startsWith('.'));
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    for (const mount of mounts.filter((each) => each.startsWith('.'))) {
      expect(existsSync(join('docker', mount.split(':')[0] ?? ''))).toBe(true);
    }
    expect(compose.services.redis?.profiles).toEqual(['redis']);
    const { scrape_configs: jobs } = parse(await readFile('docker/prometheus/prometheus.yaml', 'utf8')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    expect(jobs[0]?.job_name).toBe('prosa');
    expect(jobs[0]?.dns_sd_configs[0]?.names.toSorted()).toEqual(['api', 'voice', 'worker']);
    expect(`OPERATIONS_PORT=${jobs[0]?.dns_sd_configs[0]?.port}`).toBe(
      /OPERATIONS_PORT=\d+/.exec(await readFile('docker/Dockerfile', 'utf8'))?.[0],
    );
  });

  it.each([
    ['by default', {}],
    ['as the variables say', { CALL_DRAIN_SECONDS: '900', SHUTDOWN_TIMEOUT_SECONDS: '75' }],
    ['as they say where one is empty', { CALL_DRAIN_SECONDS: '0', SHUTDOWN_TIMEOUT_SECONDS: '' }],
  ])(
    'compose: a role has as long to stop as it may take, %s',
    async (_how, given: Record<string, string>) => {
      const own = rolesOf(await readCompose());
      const { server } = configFrom(
        parseEnvironment({ ENCRYPTION_KEY: KEY, SHUTDOWN_DELAY_SECONDS: '10', ...given }),
      );
      for (const { stop_grace_period: period = '' } of own) {
        const grace = period.replace(/\$\{(\w+):-(\w+)\}/g, (_all, name, other) => given[name] || other);
        expect(grace).toMatch(/^(\d+s)+$/);
        const seconds = grace.split('s').reduce((sum, part) => sum + Number(part), 0);
        expect(seconds * 1_000).toBe(
          server.shutdownDelayMs + server.callDrainMs + server.shutdownTimeoutMs * 2 + CLOSING_MS,
        );
      }
    },
  );

  it('compose: every variable of .env.example reaches each role, or has a reason not to', async () => {
    const example: string[] = (await readFile('.env.example', 'utf8')).match(/^[A-Z][A-Z0-9_]*(?==)/gm) ?? [];
    const expected = example.filter((name) => !(name in NOT_FROM_OUTSIDE)).toSorted();
    // Which are of the library, and no variables of ours.
    const traces =
      (await readFile('docs/how-to/monitor.md', 'utf8')).match(/\bOTEL_[A-Z_]+[A-Z](?=`)/g) ?? [];
    const all = [...new Set([...expected, ...traces])].toSorted();
    const own = rolesOf(await readCompose());
    expect(own).toHaveLength(3);
    for (const { environment = {} } of own) {
      const given = Object.entries(environment).filter(isFromOutside);
      expect(given.map(([name]) => name).toSorted()).toEqual(all);
    }
    expect(Object.keys(NOT_FROM_OUTSIDE).filter((name) => !example.includes(name))).toEqual([]);
  });

  it('compose: every service writes to its volumes and /tmp alone, without privileges and within limits', async () => {
    const { secrets, services } = await readCompose();
    for (const [name, service] of Object.entries(services)) {
      expect({ name, ...service }).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        pids_limit: expect.any(Number),
        mem_limit: expect.stringMatching(/\d+g\}?$/),
        tmpfs: expect.arrayContaining([expect.stringMatching(/^\/tmp:size=/)]),
      });
      for (const secret of service.secrets ?? []) expect(secrets[secret]?.file).toBe(`./secrets/${secret}`);
    }
    const targets = rolesOf({ secrets, services, volumes: {} }).map(({ build }) => build?.target);
    expect(targets).toEqual(['api', 'api', 'voice']);
    expect((await readFile('.gitignore', 'utf8')).split('\n')).toContain('/docker/secrets/');
  });

  it('image: each target runs as node, with files of root, known variables and roles that its packages serve', async () => {
    const dockerfile = await Dockerfile.read();
    const roles: Record<string, string | undefined> = {};
    for (const target of ['api', 'voice']) {
      expect(dockerfile.textsOf(target, 'USER')).toEqual(['node']);
      const written = dockerfile.copiesOf(target).filter(({ owner }) => owner !== null);
      expect(written.map((copy) => copy.target)).toEqual(['.prosa']);
      const given = dockerfile.textsOf(target, 'ENV').flatMap((text) => text.split(' '));
      const variables = Object.fromEntries(given.map((pair) => pair.split('=')));
      const unknown = Object.keys(variables).filter((name) => !VARIABLES.includes(name) && !OTHERS.has(name));
      expect(unknown.filter((name) => !name.startsWith('NPM_CONFIG_'))).toEqual([]);
      roles[target] = variables.PROSA_ROLES;
      for (const word of ['CMD', 'HEALTHCHECK']) expect(dockerfile.textsOf(target, word)).toHaveLength(1);
    }
    expect(roles).toEqual({ api: 'api,worker', voice: 'voice' });
    // The image where no target is named.
    expect(dockerfile.stageNames.at(-1)).toBe('api');
    expect(dockerfile.textsOf('api-packages', 'RUN')[0]).toBe('npm ci --omit=dev --omit=optional');
    expect(dockerfile.textsOf('voice-packages', 'RUN')[0]).toBe('npm ci --omit=dev');
  });

  it('image: every stage copies files that are there, and sends no secret or build of the checkout', async () => {
    const dockerfile = await Dockerfile.read();
    const made = new Set(['dist', 'types', 'web/dist', 'plugins', '.prosa', 'node_modules', 'sbom.json']);
    const sources = dockerfile.stageNames
      .flatMap((name) => dockerfile.copiesOf(name))
      .flatMap((copy) => copy.sources)
      .filter((name) => !made.has(name));
    expect(sources.filter((name) => !existsSync(name))).toEqual([]);
    expect(sources).toEqual(
      expect.arrayContaining(['package-lock.json', 'web/talk', 'THIRD-PARTY-NOTICES.md']),
    );
    const ignored = (await readFile('.dockerignore', 'utf8')).split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['**/node_modules', '**/.env', 'docker', '.prosa', 'dist']),
    );
  });

  it('image: every stage uses Node 24, which every package of the lock file allows', async () => {
    const { images } = await Dockerfile.read();
    expect([...new Set(images)]).toEqual(['node:24-bookworm-slim']);
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { engines?: { node?: string }; os?: string[] }>;
    };
    const refusing = Object.entries(packages)
      .filter(([, { os = ['linux'] }]) => os.includes('linux'))
      .filter(([, { engines }]) => engines?.node && !satisfies(OLDEST_NODE_24, engines.node))
      .map(([path]) => path);
    expect(refusing).toEqual([]);
  });

  it('systemd: the unit runs what there is, with known variables, and stops it in order', async () => {
    const unit = await readFile('docker/prosa.service', 'utf8');
    const all = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    const variables = Object.fromEntries(all('Environment').map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(Object.keys(variables).filter((name) => !VARIABLES.includes(name) && !OTHERS.has(name))).toEqual(
      [],
    );
    const { server, voice } = configFrom(parseEnvironment(variables));
    expect(voice.forks).toBe(1);
    const [command] = all('ExecStart');
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { start: string } };
    const options = /^node (--\S+) scripts\/start\.mjs$/.exec(scripts.start)?.[1];
    expect(command).toBe(`/usr/bin/node ${options} dist/main.js`);
    const image = await readFile('docker/Dockerfile', 'utf8');
    expect(image).toContain(`CMD ["node", "${options}", "dist/main.js"]`);
    expect(existsSync('src/main.ts')).toBe(true);
    // It builds nothing, unlike `npm start`: the operator builds after an upgrade.
    const pages = (await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md'));
    for (const page of ['README.md', ...pages.map((name) => join('docs', name))]) {
      const upgrades = (await readFile(page, 'utf8')).match(/.*git pull.*/g) ?? [];
      expect(upgrades.filter((line) => !line.includes('npm ci && npm run build'))).toEqual([]);
    }
    expect(all('KillMode')).toEqual(['mixed']);
    expect(Number(all('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(
      server.shutdownDelayMs + server.callDrainMs + server.shutdownTimeoutMs * 2 + 30_000,
    );
    // Where systemd makes the folder that DATA_DIR names.
    expect(variables.DATA_DIR).toBe(`/var/lib/${all('StateDirectory')[0]}`);
    expect(all('RestartPreventExitStatus')).toEqual(['1']);
    // A dash before the path would start an empty installation when the file is lost.
    expect(all('EnvironmentFile')).toEqual(['/etc/prosa/prosa.env']);
  });

  it('image: what it copies is enough to run every command for operators', async () => {
    await buildProduct({ pluginTypes: true });
    const folder = await imageFolder();
    try {
      for (const name of ['account', 'backup', 'restore']) {
        const said = execFileSync('npm', ['run', '--silent', name, '--', '--help'], {
          cwd: folder,
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: process.env.HOME },
        });
        expect(said).toContain(`Usage: npm run ${name}`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
