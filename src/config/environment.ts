import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { AZURE_REGION } from './azure-region.js';
import { ORDINARY_TYPES } from './destination-rules.js';
import {
  address,
  cidr,
  country,
  destinations,
  dollars,
  flag,
  integer,
  ipAddress,
  list,
  listenAddress,
  number,
  numberTypes,
  optional,
  pem,
  portRange,
  proxyAddress,
  url,
  withDefault,
} from './environment-values.js';
import { isLoopbackHost } from './loopback-host.js';
import { issuerUrl, roleRules } from './oidc.js';
import { mailbox, smtpUrl } from './smtp-server.js';

const ROLES = ['api', 'worker', 'voice'] as const;

/** Every variable the product reads. `.env.example` is tested against this list. */
export const environmentSchema = z.object({
  PROSA_ROLES: withDefault(list.pipe(z.array(z.enum(ROLES)).min(1)), ROLES.join(',')),
  PROSA_PLUGINS: withDefault(list, ''),
  PROSA_PAUSED: withDefault(flag, 'off'),
  HOST: withDefault(z.string(), '127.0.0.1'),
  PORT: withDefault(integer(0, 65_535), '3000'),
  OPERATIONS_PORT: optional(integer(0, 65_535)),
  METRICS: withDefault(flag, 'on'),
  DOCS: withDefault(z.enum(['public', 'operations', 'off']), 'public'),
  PUBLIC_URL: optional(url('http', 'https')),
  TRUST_PROXY: withDefault(integer(0, 10), '0'),
  CORS_ORIGINS: withDefault(list, '*'),
  LOG_LEVEL: withDefault(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url('http', 'https')),
  OTEL_TRACES_SAMPLER_ARG: withDefault(z.coerce.number().min(0).max(1), '1'),
  SHUTDOWN_DELAY_SECONDS: withDefault(integer(0, 600), '0'),
  SHUTDOWN_TIMEOUT_SECONDS: withDefault(integer(1, 7_200), '30'),
  CALL_DRAIN_SECONDS: withDefault(integer(0, 7_200), '120'),
  CALL_HANDOVER_SECONDS: withDefault(integer(0, 7_200), '0'),

  HTTP_MAX_CONNECTIONS: withDefault(integer(10, 1_000_000), '2000'),
  HTTP_HEADERS_TIMEOUT_SECONDS: withDefault(integer(1, 300), '15'),
  HTTP_BODY_TIMEOUT_SECONDS: withDefault(integer(1, 300), '30'),
  HTTP_KEEP_ALIVE_SECONDS: withDefault(integer(1, 3_600), '75'),

  DATA_DIR: withDefault(z.string(), '.prosa'),
  DATABASE_URL: optional(url('postgres', 'postgresql')),
  MIGRATION_DATABASE_URL: optional(url('postgres', 'postgresql')),
  DATABASE_POOL_SIZE: withDefault(integer(4, 500), '16'),
  DATABASE_WAIT_SECONDS: withDefault(integer(0, 86_400), '300'),
  EMBEDDED_PG_PORT: optional(integer(1, 65_535)),
  REDIS_URL: optional(url('redis', 'rediss')),
  ENCRYPTION_KEY: optional(
    list.pipe(
      z
        .array(
          z
            .string()
            .refine(
              (key) => Buffer.from(key, 'base64').length === 32,
              'must be 32 random bytes in base64 (openssl rand -base64 32); an old key may follow after a comma',
            ),
        )
        .min(1),
    ),
  ),

  BOOTSTRAP_EMAIL: optional(z.email()),
  BOOTSTRAP_PASSWORD: optional(z.string().min(8)),
  BOOTSTRAP_API_KEY: optional(z.string()),
  BOOTSTRAP_BALANCE: optional(dollars),
  OPEN_REGISTRATION: withDefault(flag, 'false'),
  PASSWORD_SIGN_IN: withDefault(flag, 'on'),
  OIDC_ISSUER: optional(issuerUrl),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  OIDC_ACCOUNT: optional(z.email()),
  OIDC_ROLES: optional(roleRules),
  OIDC_SCOPES: withDefault(z.string(), 'openid email profile'),
  SESSION_TTL_DAYS: withDefault(integer(1, 3_650), '30'),

  OPENAI_BASE_URL: optional(url('http', 'https')),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_MODEL: optional(z.string()),
  MODEL_TIMEOUT_SECONDS: withDefault(integer(1, 600), '60'),
  CATALOG_FILE: optional(z.string()),

  SPEECH_BASE_URL: optional(url('http', 'https')),
  SPEECH_API_KEY: optional(z.string()),
  SPEECH_TO_TEXT_MODEL: optional(z.string()),
  TEXT_TO_SPEECH_MODEL: optional(z.string()),
  SPEECH_MODELS_DIR: optional(z.string()),
  DEEPGRAM_API_KEY: optional(z.string()),
  DEEPGRAM_BASE_URL: optional(url('http', 'https')),
  ELEVEN_API_KEY: optional(z.string()),
  ELEVEN_BASE_URL: optional(url('http', 'https')),
  GOOGLE_API_KEY: optional(z.string()),
  GOOGLE_BASE_URL: optional(url('http', 'https')),
  XAI_API_KEY: optional(z.string()),
  XAI_BASE_URL: optional(url('http', 'https')),
  AZURE_SPEECH_KEY: optional(z.string()),
  AZURE_SPEECH_REGION: optional(
    z
      .string()
      .toLowerCase()
      .regex(AZURE_REGION, 'must be the name of a region of Azure, such as brazilsouth'),
  ),
  AZURE_SPEECH_BASE_URL: optional(url('http', 'https')),
  CARTESIA_API_KEY: optional(z.string()),
  CARTESIA_BASE_URL: optional(url('http', 'https')),

  EMBEDDINGS_MODEL: optional(z.string()),
  EMBEDDINGS_DIMENSIONS: optional(integer(1, 16_000)),
  EMBEDDINGS_BASE_URL: optional(url('http', 'https')),
  EMBEDDINGS_API_KEY: optional(z.string()),

  RECORDINGS_SPOOL_BYTES: withDefault(integer(1_000_000, Number.MAX_SAFE_INTEGER), '10000000000'),
  S3_ENDPOINT: optional(url('http', 'https')),
  S3_REGION: withDefault(z.string(), 'us-east-1'),
  S3_BUCKET: optional(z.string()),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  AWS_ROLE_ARN: optional(z.string()),
  AWS_ROLE_SESSION_NAME: withDefault(z.string(), 'prosa'),
  AWS_WEB_IDENTITY_TOKEN_FILE: optional(z.string()),
  AWS_ENDPOINT_URL_STS: optional(url('http', 'https')),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: optional(z.string().regex(/^\//, 'must begin with a slash')),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: optional(url('http', 'https')),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: optional(z.string()),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: withDefault(url('http', 'https'), 'http://169.254.169.254'),

  SMTP_URL: optional(smtpUrl),
  SMTP_FROM: optional(mailbox),

  SANDBOX_SPEED: withDefault(z.coerce.number().min(0.01).max(1_000_000), '1'),
  SANDBOX_MEDIA: withDefault(z.enum(['text', 'audio']), 'text'),
  SANDBOX_CARRIER_URL: optional(url('http', 'https')),
  SIP_CARRIER: withDefault(z.enum(['own', 'livekit']), 'own'),
  SIP_LISTEN: optional(listenAddress),
  SIP_PUBLIC_ADDRESS: optional(ipAddress),
  SIP_PROXY: optional(proxyAddress),
  SIP_PROCESS_PORTS: optional(portRange),
  SIP_CALLS_PER_SECOND: optional(number(0.1, 1_000)),
  SIP_TRUNK_CALLS_PER_SECOND: optional(number(0.1, 1_000)),
  SIP_WIDEBAND: withDefault(flag, 'on'),
  SIP_WIDE_RANGES: withDefault(flag, 'off'),
  SIP_TLS_PORT: withDefault(integer(0, 65_535), '5061'),
  SIP_TLS_KEY: optional(pem),
  SIP_TLS_CERT: optional(pem),
  SIP_TLS_CA: optional(pem),
  TWILIO_ACCOUNT_SID: optional(
    z.string().regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits'),
  ),
  TWILIO_AUTH_TOKEN: optional(z.string()),
  TWILIO_MACHINE_DETECTION: withDefault(flag, 'off'),
  LIVEKIT_URL: optional(url('ws', 'wss', 'http', 'https')),
  LIVEKIT_API_KEY: optional(z.string()),
  LIVEKIT_API_SECRET: optional(z.string()),
  RTP_PORTS: withDefault(portRange, '40000-40999'),
  DIAL_LEASE_SECONDS: withDefault(integer(1, 3_600), '60'),
  CALL_PRICE_PER_MINUTE: withDefault(dollars, '0.01'),
  CARRIER_PRICE_PER_MINUTE: withDefault(dollars, '0.002'),
  MAX_HOLD_SECONDS: withDefault(integer(1, 3_600), '600'),
  FORWARD_MAX_SECONDS: withDefault(integer(60, 14_400), '3600'),
  CALLS_MAX_IN_PARALLEL: withDefault(integer(1, 100_000), '500'),
  ACCOUNT_CALLS_PER_SECOND: optional(number(0.1, 1_000)),
  VOICE_PROCESSES: withDefault(integer(0, 64), '0'),
  VOICE_MAX_CALLS: withDefault(integer(1, 1_000), '25'),
  VOICE_FALLBACK_CALLS: withDefault(integer(0, 1_000), '20'),
  VOICE_LISTEN: withDefault(address(0), '127.0.0.1:0'),
  VOICE_ADDRESS: optional(address(1)),
  CALLING_HOURS: withDefault(z.enum(['auto', 'on', 'off']), 'auto'),
  VERIFICATION_PHONE_NUMBER_ID: optional(integer(1, 2_147_483_647)),
  CALL_COUNTRIES: withDefault(destinations, ''),
  CALL_NUMBER_TYPES: withDefault(numberTypes, [...ORDINARY_TYPES, 'UNKNOWN'].join(',')),
  TRANSFER_COUNTRIES: withDefault(list.pipe(z.array(country)), ''),

  CHAT_MAX_TOOL_STEPS: withDefault(integer(1, 32), '8'),
  CHAT_MAX_TOOLS_PER_STEP: withDefault(integer(1, 32), '8'),
  CHAT_HISTORY_MESSAGES: withDefault(integer(2, 500), '60'),
  CHAT_TURN_TIMEOUT_SECONDS: withDefault(integer(5, 170), '120'),
  CHAT_QUEUE_PER_CONVERSATION: withDefault(integer(1, 10_000), '256'),

  RETRY_SCALE: withDefault(number(0.000_001, 100), '1'),
  WEBHOOK_TIMEOUT_SECONDS: withDefault(number(0.1, 60), '15'),
  WEBHOOK_RETENTION_DAYS: withDefault(integer(1, 3_650), '30'),

  HOLD_RETENTION_DAYS: withDefault(integer(1, 3_650), '30'),
  DIAL_ATTEMPT_RETENTION_DAYS: withDefault(integer(1, 3_650), '365'),
  KNOWN_ADDRESS_DAYS: withDefault(integer(1, 3_650), '90'),
  RECORDING_RETENTION_DAYS: optional(integer(1, 3_650)),
  CALL_RETENTION_DAYS: optional(integer(1, 3_650)),
  CONVERSATION_RETENTION_DAYS: optional(integer(1, 3_650)),
  AUDIT_RETENTION_DAYS: withDefault(integer(1, 3_650), '365'),
  SIMULATION_RETENTION_DAYS: withDefault(integer(1, 3_650), '30'),

  RATE_LIMITS: withDefault(flag, 'on'),
  RATE_LIMIT_PER_KEY_PER_MINUTE: withDefault(integer(1, 1_000_000), '600'),
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: withDefault(integer(1, 1_000_000), '1200'),
  RATE_LIMIT_PER_CONVERSATION_PER_MINUTE: withDefault(integer(1, 1_000_000), '30'),
  STREAMS_PER_ACCOUNT: withDefault(integer(1, 1_000_000), '200'),
  VISITOR_STREAMS_PER_ACCOUNT: withDefault(integer(1, 1_000_000), '1000'),
  STREAMS_PER_ADDRESS: withDefault(integer(1, 1_000_000), '100'),
  IMPORTS_PER_ACCOUNT: withDefault(integer(1, 1_000), '4'),
  SIMULATIONS_PER_ACCOUNT: withDefault(integer(1, 1_000), '3'),
  SIMULATION_RUNS_PER_DAY: withDefault(integer(1, 1_000_000), '500'),
  SIMULATION_TOKENS_PER_DAY: withDefault(integer(1, 1_000_000_000), '2000000'),
  TEST_MESSAGES_PER_DAY: withDefault(integer(1, 1_000_000), '500'),
  TEST_TOKENS_PER_DAY: withDefault(integer(1, 1_000_000_000), '2000000'),
  KNOWLEDGE_SEARCHES_PER_DAY: withDefault(integer(1, 1_000_000), '5000'),
  DAILY_SPEND_CAP: optional(dollars),
  VISITOR_CONVERSATIONS_PER_HOUR: withDefault(integer(1, 1_000_000), '1000'),
  VISITOR_CONVERSATIONS_PER_ADDRESS_PER_HOUR: withDefault(integer(1, 1_000_000), '30'),
  VISITOR_CALLS_SHARE: withDefault(number(0, 1), '0.5'),
  VISITOR_CALLS_PER_ASSISTANT: withDefault(integer(0, 1_000_000), '10'),
  VISITOR_CALLS_PER_ADDRESS: withDefault(integer(0, 1_000_000), '2'),
  VISITOR_MESSAGES_PER_HOUR: withDefault(integer(1, 1_000_000), '500'),
  VISITOR_DAILY_SPEND_PER_ASSISTANT: withDefault(dollars, '10'),
  VISITOR_DAILY_SPEND_PER_ACCOUNT: withDefault(dollars, '20'),
  VISITOR_CHALLENGE_DIFFICULTY: withDefault(integer(1, 30), '18'),
  EGRESS_ALLOW_CIDRS: withDefault(list.pipe(z.array(cidr)), ''),
});

/** Variables that say something only together. */
const TOGETHER = [
  ['EMBEDDINGS_MODEL', 'EMBEDDINGS_DIMENSIONS'],
  ['S3_ENDPOINT', 'S3_BUCKET'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['SMTP_URL', 'SMTP_FROM'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ACCOUNT', 'OIDC_ROLES'],
  ['SIP_TLS_KEY', 'SIP_TLS_CERT'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
] as const;

export type Environment = z.output<typeof environmentSchema>;

/** A wrong environment. Its message is complete: one line a variable, what is wrong and with which variable. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';

  /** @param problems each begins with the name of its variable and a colon */
  static of(...problems: readonly string[]): EnvironmentError {
    const lines = problems.map((problem) => `  ${problem}`);
    return new EnvironmentError(`Wrong configuration, nothing was started:\n${lines.join('\n')}`);
  }
}

/**
 * Parses the environment once.
 *
 * @throws EnvironmentError naming every wrong variable
 */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const environment = parseVariables(source);
  refuseMissingKey(environment);
  if (environment.DOCS === 'operations' && environment.OPERATIONS_PORT === undefined) {
    throw EnvironmentError.of('DOCS: operations needs OPERATIONS_PORT to name the port');
  }
  refuseEmbeddedForSplitRoles(environment);
  refuseForksAlone(environment);
  refuseSoundOutOfTime(environment);
  for (const group of TOGETHER) requireWhole(environment, group);
  refuseCarrierWithoutServer(environment);
  refuseUnreachableTwilio(environment);
  refuseEmailsWithoutLinks(environment);
  refuseOidcWithoutAddress(environment);
  refuseUnusableCertificate(environment);
  refuseSharedPorts(environment);
  return environment;
}

/**
 * Parses each variable by itself, for a command that needs few of them.
 *
 * @throws EnvironmentError naming every wrong variable
 */
export function parseVariables(source: Record<string, string | undefined>): Environment {
  const parsed = environmentSchema.safeParse(source);
  if (!parsed.success) {
    throw EnvironmentError.of(
      ...parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`),
    );
  }
  return parsed.data;
}

function refuseMissingKey({ DATABASE_URL: url, ENCRYPTION_KEY: keys }: Environment): void {
  if (url === undefined || keys !== undefined) return;
  throw EnvironmentError.of(
    'ENCRYPTION_KEY: is needed with DATABASE_URL, because stored secrets must stay readable on every machine. ' +
      'Make one with: openssl rand -base64 32',
  );
}

/** Split roles share a database. Without its address each process would start an empty installation of its own. */
function refuseEmbeddedForSplitRoles({ DATABASE_URL: url, PROSA_ROLES: roles }: Environment): void {
  if (url !== undefined || (roles.includes('api') && roles.includes('worker'))) return;
  throw EnvironmentError.of(
    'DATABASE_URL: is needed where PROSA_ROLES has not both api and worker, because the embedded database serves one process',
  );
}

function refuseCarrierWithoutServer({ SIP_CARRIER: carrier, LIVEKIT_URL: url }: Environment): void {
  if (carrier !== 'livekit' || url !== undefined) return;
  throw EnvironmentError.of('LIVEKIT_URL: is needed too, for SIP_CARRIER=livekit');
}

/** A certificate of another key, or text that only looks like PEM, fails the start and not a later call. */
function refuseUnusableCertificate({
  SIP_TLS_KEY: key,
  SIP_TLS_CERT: cert,
  SIP_TLS_CA: ca,
}: Environment): void {
  if (key === undefined) return;
  try {
    createSecureContext({ key: key.text, cert: cert?.text, ca: ca?.text });
  } catch (error) {
    throw EnvironmentError.of(
      `SIP_TLS_KEY: cannot be used with SIP_TLS_CERT and SIP_TLS_CA (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

/** One process would take what another one needs. */
function refuseSharedPorts({
  SIP_PROCESS_PORTS: ports,
  SIP_LISTEN: listen,
  SIP_TLS_PORT: tlsPort,
  RTP_PORTS: rtp,
}: Environment): void {
  if (!ports) return;
  const taken: readonly [string, number, number][] = [
    ['SIP_LISTEN', listen?.port ?? 0, listen?.port ?? 0],
    ['SIP_TLS_PORT', tlsPort, tlsPort],
    ['RTP_PORTS', rtp.from, rtp.to],
  ];
  for (const [name, from, to] of taken) {
    if (from > ports.to || to < ports.from) continue;
    throw EnvironmentError.of(`SIP_PROCESS_PORTS: has ports of ${name}; they must be others`);
  }
}

/** Twilio asks us what to do with calls, and sends their sound, over TLS alone; a stand-in on this machine may do without. */
function refuseUnreachableTwilio({ TWILIO_ACCOUNT_SID: account, PUBLIC_URL: url }: Environment): void {
  if (account === undefined || (url !== undefined && isForTwilio(new URL(url)))) return;
  throw EnvironmentError.of(
    'PUBLIC_URL: is needed with TWILIO_ACCOUNT_SID and must begin with https, because Twilio sends calls and their sound' +
      ' to this address, encrypted',
  );
}

/** A link of an e-mail must not begin with what a request says of itself. */
function refuseEmailsWithoutLinks({ SMTP_URL: server, PUBLIC_URL: url }: Environment): void {
  if (server === undefined || url !== undefined) return;
  throw EnvironmentError.of(
    'PUBLIC_URL: is needed with SMTP_URL, because the links of e-mails begin with it',
  );
}

/** The provider sends people back to an address that it knows. */
function refuseOidcWithoutAddress(environment: Environment): void {
  const {
    OIDC_ISSUER: issuer,
    OIDC_SCOPES: scopes,
    PUBLIC_URL: url,
    PASSWORD_SIGN_IN: passwords,
  } = environment;
  if (issuer === undefined && !passwords)
    throw EnvironmentError.of(
      'OIDC_ISSUER: is needed with PASSWORD_SIGN_IN=off, else there is no way to sign in',
    );
  if (issuer === undefined) return;
  if (url === undefined)
    throw EnvironmentError.of('PUBLIC_URL: is needed with OIDC_ISSUER, which sends people back to it');
  if (!scopes.split(/\s+/).includes('openid'))
    throw EnvironmentError.of('OIDC_SCOPES: must have openid, such as openid email profile groups');
}

/** Whether Twilio could call back at this address. */
export function isForTwilio(url: URL): boolean {
  const { protocol, search, hash } = url;
  return (protocol === 'https:' || isLoopbackHost(url)) && search === '' && hash === '';
}

/** Forked voice processes replace the voice role of a process with another role. */
function refuseForksAlone({ VOICE_PROCESSES: forks, PROSA_ROLES: roles }: Environment): void {
  if (forks === 0 || (roles.includes('voice') && roles.some((role) => role !== 'voice'))) return;
  throw EnvironmentError.of(
    'VOICE_PROCESSES: needs PROSA_ROLES with voice and with api or worker; a machine for voice alone runs several processes with PROSA_ROLES=voice',
  );
}

/** People who speak in sound do so in real time, in the process that has the call. */
function refuseSoundOutOfTime(environment: Environment): void {
  const { SANDBOX_MEDIA: media, SANDBOX_SPEED: speed, SANDBOX_CARRIER_URL: url } = environment;
  if (media === 'text' || (speed === 1 && url === undefined)) return;
  throw EnvironmentError.of(
    'SANDBOX_MEDIA: audio needs SANDBOX_SPEED=1 and no SANDBOX_CARRIER_URL, as sound goes in real time and in the process of the call',
  );
}

function requireWhole(environment: Environment, group: readonly (keyof Environment)[]): void {
  const missing = group.filter((name) => environment[name] === undefined);
  if (missing.length === 0 || missing.length === group.length) return;
  throw EnvironmentError.of(
    ...missing.map((name) => `${name}: is needed too, as ${group.join(', ')} go together`),
  );
}
