import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { type Environment, isForTwilio } from './environment.js';
import { rereadPem } from './pem.js';

/** What the process serves, and where. Injected by class, as is each area below. */
export class ServerConfig {
  declare readonly roles: ReadonlySet<'api' | 'worker' | 'voice'>;
  /** Files, relative to the working directory, and names of packages. */
  declare readonly plugins: readonly string[];
  declare readonly host: string;
  declare readonly port: number;
  /** Of health and metrics apart from the API; undefined means: none beside an API, one above `port` otherwise. */
  declare readonly operationsPort: number | undefined;
  /** Whether metrics are shown at all. */
  declare readonly metrics: boolean;
  declare readonly docs: 'public' | 'operations' | 'off';
  declare readonly publicUrl: string | undefined;
  /** How many proxies in front may set X-Forwarded-For. */
  declare readonly trustProxy: number;
  declare readonly corsOrigins: readonly string[];
  declare readonly logLevel: string;
  declare readonly shutdownTimeoutMs: number;
  /** How long calls may go on at shutdown whose lines live in this process. */
  declare readonly callDrainMs: number;
  /** After how much of that time calls are handed over that another process can go on with. */
  declare readonly callHandoverMs: number;
  /** Connections at the same time; those beyond are closed at once. */
  declare readonly maxConnections: number;
  /** How long the headers of a request may take, also on a connection that says nothing at all. */
  declare readonly headersTimeoutMs: number;
  /** How long a body may take, and how long an upload may make no progress. */
  declare readonly bodyTimeoutMs: number;
  /** How long a connection may be idle between two requests. */
  declare readonly keepAliveMs: number;
  /** For fault tests: where this process dies or stops. */
  declare readonly failpoint: string | undefined;
}

export class TracingConfig {
  /** Of the collector; undefined means: nothing is traced. */
  declare readonly endpoint: string | undefined;
  /** Which part of all traces is kept, from 0 to 1. */
  declare readonly ratio: number;
}

export class DatabaseConfig {
  /** Undefined means: run the embedded server. */
  declare readonly url: string | undefined;
  /** Connections of this process, all together. */
  declare readonly poolSize: number;
  declare readonly embeddedPort: number | undefined;
  declare readonly dataDir: string;
  declare readonly redisUrl: string | undefined;
}

export class SecurityConfig {
  /** Base64 keys, newest first; undefined means: make one and keep it in the data folder. */
  declare readonly encryptionKeys: readonly string[] | undefined;
  declare readonly sessionTtlMs: number;
  declare readonly openRegistration: boolean;
  declare readonly egressAllowCidrs: readonly string[];
}

export class BootstrapConfig {
  declare readonly email: string | undefined;
  declare readonly password: string | undefined;
  declare readonly apiKey: string | undefined;
  declare readonly balanceMicros: number | undefined;
}

export class ModelConfig {
  declare readonly baseUrl: string | undefined;
  declare readonly apiKey: string | undefined;
  /** Answers for every assistant, whatever model it names; undefined means: as named, where the server has it. */
  declare readonly model: string | undefined;
  declare readonly timeoutMs: number;
  declare readonly catalogFile: string | undefined;
}

/** Where speech is recognised and spoken, and who answers in speech. A provider without a key is not used. */
export class SpeechConfig {
  /** An OpenAI-compatible server; `baseUrl` undefined means OpenAI's own. */
  declare readonly openai: SpeechServer & {
    /** What this server calls its models; undefined means OpenAI's names. */
    readonly recognizerModel: string | undefined;
    readonly synthesizerModel: string | undefined;
  };
  declare readonly deepgram: SpeechServer;
  declare readonly elevenlabs: SpeechServer;
  declare readonly google: SpeechServer;
  declare readonly xai: SpeechServer;
  /** Models of this machine, one folder each; undefined means none. */
  declare readonly modelsDir: string | undefined;
}

/** How a provider of speech is reached. `baseUrl` undefined means its public address. */
export interface SpeechServer {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
}

export class EmbeddingsConfig {
  /** Undefined means: search by words alone. */
  declare readonly model: string | undefined;
  declare readonly dimensions: number | undefined;
  declare readonly baseUrl: string | undefined;
  declare readonly apiKey: string | undefined;
  declare readonly timeoutMs: number;
}

export class StorageConfig {
  /** Undefined means: a folder of the data folder. */
  declare readonly s3:
    | {
        readonly endpoint: string;
        readonly region: string;
        readonly bucket: string;
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
      }
    | undefined;
}

export class TelephonyConfig {
  /** How fast the sandbox's time runs. */
  declare readonly sandboxSpeed: number;
  /** What goes over the sandbox's lines, where there is a voice for it. */
  declare readonly sandboxMedia: 'text' | 'audio';
  /** A sandbox carrier in a process of its own; undefined means: one inside this process. */
  declare readonly sandboxCarrierUrl: string | undefined;
  /** Where the sandbox inside this process keeps its dials. */
  declare readonly sandboxDir: string;
  /** After so long an attempt that is still being sent is taken over, if nobody holds its lead. */
  declare readonly dialLeaseMs: number;
  /** The user agent of SIP trunks; undefined means: none, and their numbers are the sandbox's. */
  declare readonly sip: SipConfig | undefined;
  /** Undefined where Twilio could not reach this installation. */
  declare readonly twilio: TwilioConfig | undefined;
  /** The server of rooms that web calls may go through; undefined means: they go over WebSockets alone. */
  declare readonly livekit: LiveKitConfig | undefined;
  /** ISO 3166 codes of where a model may transfer a call to; empty means: the country of the assistant's number. */
  declare readonly transferCountries: readonly string[];
}

export interface TwilioConfig {
  /** Without a slash behind it. */
  readonly publicUrl: string;
  /** Twilio tells people from machines, and charges it. */
  readonly machineDetection: boolean;
  /**
   * The installation's own account, that numbers are rented into; null means: they are the sandbox's, but for accounts with
   * credentials of their own.
   */
  readonly account: { readonly accountSid: string; readonly authToken: string } | null;
}

export interface LiveKitConfig {
  /** As browsers and this server reach it: ws or wss, without a slash at its end. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface SipConfig {
  /** Of UDP and TCP. */
  readonly listen: { readonly host: string; readonly port: number };
  /** What operators are told to send to; undefined means: the address they see us by. */
  readonly publicAddress: string | undefined;
  /** Of all trunks together; undefined means no limit. */
  readonly callsPerSecond: number | undefined;
  /** Whether G.722 is offered and taken. */
  readonly isWideband: boolean;
  /** Undefined: no TLS. `ca`: whom operators' certificates are checked against; undefined means those Node knows. PEM. */
  readonly tls:
    | {
        readonly port: number;
        readonly key: string;
        readonly cert: string;
        readonly ca: string[] | undefined;
        /** The same from the files as they are now, where files were named. Rejects when one cannot be read. */
        reread(): Promise<{ readonly key: string; readonly cert: string; readonly ca: string[] | undefined }>;
      }
    | undefined;
  /** Both ends belong to it. */
  readonly rtpPorts: { readonly from: number; readonly to: number };
}

/** The processes that carry the sound of calls. */
export class VoiceConfig {
  /** How many of them this process runs beside itself. */
  declare readonly forks: number;
  /** Calls with sound that one process takes at once. */
  declare readonly maxCalls: number;
  /** Where a voice process listens for the other processes of the installation; port 0 is any free one. */
  declare readonly listen: { readonly host: string; readonly port: number };
  /** What the others call that; undefined means: as it listens, or by the name of the machine where it listens to all. */
  declare readonly address: string | undefined;
}

export class CallsConfig {
  /** What a minute of talk costs for the assistant, in micro-dollars. */
  declare readonly pricePerMinuteMicros: number;
  /** What a minute costs for the line, in micro-dollars. */
  declare readonly carrierPricePerMinuteMicros: number;
  /** Calls of all accounts at the same time. */
  declare readonly maxInParallel: number;
  /** Whether people are called at civil hours only; `auto`: where a real carrier calls real people. */
  declare readonly callingHours: 'auto' | 'on' | 'off';
}

export class ChatConfig {
  declare readonly maxToolSteps: number;
  declare readonly maxToolsPerStep: number;
  declare readonly historyMessages: number;
  declare readonly turnTimeoutMs: number;
  declare readonly queuePerConversation: number;
}

export class LimitsConfig {
  declare readonly enabled: boolean;
  declare readonly perKeyPerMinute: number;
  declare readonly perAddressPerMinute: number;
  declare readonly perConversationPerMinute: number;
  /** Event streams open at the same time. */
  declare readonly streamsPerAccount: number;
  declare readonly visitorStreamsPerAccount: number;
  declare readonly streamsPerAddress: number;
  /** Lead files read at the same time. */
  declare readonly importsPerAccount: number;
  /** Simulations under way at the same time. */
  declare readonly simulationsPerAccount: number;
  /** Of an account, in UTC. */
  declare readonly simulationRunsPerDay: number;
  declare readonly simulationTokensPerDay: number;
  /** Undefined means no cap. */
  declare readonly dailySpendCapMicros: number | undefined;
  /** Where an assistant or an account says nothing else. */
  declare readonly visitors: VisitorLimits;
}

/** What visitors of conversations, who have no token, may use up. */
export interface VisitorLimits {
  readonly conversationsPerHour: number;
  readonly conversationsPerAddressPerHour: number;
  /** Calls from browsers, at once. */
  readonly callsPerAssistant: number;
  readonly callsPerAddress: number;
  readonly messagesPerHour: number;
  readonly dailySpendPerAssistantMicros: number;
  readonly dailySpendPerAccountMicros: number;
  /** Leading zero bits of a challenge's hash; each one more doubles the work. */
  readonly challengeDifficulty: number;
}

export class WebhooksConfig {
  /** Factor on the waits before retries; below 1 for tests alone. */
  declare readonly retryScale: number;
  /** Of one try, up to the last byte of the answer. */
  declare readonly timeoutMs: number;
  /** How long deliveries are kept after they were delivered or given up. */
  declare readonly retentionMs: number;
}

/** How long what is over is kept. */
export class RetentionConfig {
  /** Holds that were captured or voided; the ledger stays. */
  declare readonly settledHoldsMs: number;
  /** Attempts at calling leads that have an outcome. */
  declare readonly dialAttemptsMs: number;
  /** Addresses of logins, counted from the last one. */
  declare readonly knownAddressesMs: number;
  /** Recordings of calls; undefined means: as long as the call. */
  declare readonly recordingsMs: number | undefined;
  /** What people said in calls, and their numbers; undefined means: for ever. */
  declare readonly callsMs: number | undefined;
  /** Conversations, from their end; undefined means: for ever. */
  declare readonly conversationsMs: number | undefined;
  /** Entries of the audit log. */
  declare readonly auditLogMs: number;
  /** Simulations that are over. */
  declare readonly simulationsMs: number;
}

/** The whole configuration, one member an area. */
export interface Config {
  readonly server: ServerConfig;
  readonly database: DatabaseConfig;
  readonly security: SecurityConfig;
  readonly tracing: TracingConfig;
  readonly bootstrap: BootstrapConfig;
  readonly model: ModelConfig;
  readonly speech: SpeechConfig;
  readonly embeddings: EmbeddingsConfig;
  readonly storage: StorageConfig;
  readonly telephony: TelephonyConfig;
  readonly calls: CallsConfig;
  readonly voice: VoiceConfig;
  readonly chat: ChatConfig;
  readonly limits: LimitsConfig;
  readonly webhooks: WebhooksConfig;
  readonly retention: RetentionConfig;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

export function configFrom(env: Environment): Config {
  return {
    server: {
      // The processes beside this one have the voice role in its place.
      roles: new Set(env.PROSA_ROLES.filter((role) => env.VOICE_PROCESSES === 0 || role !== 'voice')),
      plugins: env.PROSA_PLUGINS,
      host: env.HOST,
      port: env.PORT,
      operationsPort: env.OPERATIONS_PORT,
      metrics: env.METRICS,
      docs: env.DOCS,
      publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
      trustProxy: env.TRUST_PROXY,
      corsOrigins: env.CORS_ORIGINS,
      logLevel: env.LOG_LEVEL,
      shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_SECONDS * SECOND_MS,
      callDrainMs: env.CALL_DRAIN_SECONDS * SECOND_MS,
      callHandoverMs: env.CALL_HANDOVER_SECONDS * SECOND_MS,
      maxConnections: env.HTTP_MAX_CONNECTIONS,
      headersTimeoutMs: env.HTTP_HEADERS_TIMEOUT_SECONDS * SECOND_MS,
      bodyTimeoutMs: env.HTTP_BODY_TIMEOUT_SECONDS * SECOND_MS,
      keepAliveMs: env.HTTP_KEEP_ALIVE_SECONDS * SECOND_MS,
      failpoint: env.FAILPOINT,
    },
    database: {
      url: env.DATABASE_URL,
      poolSize: env.DATABASE_POOL_SIZE,
      embeddedPort: env.EMBEDDED_PG_PORT,
      dataDir: env.DATA_DIR,
      redisUrl: env.REDIS_URL,
    },
    security: {
      encryptionKeys: env.ENCRYPTION_KEY,
      sessionTtlMs: env.SESSION_TTL_DAYS * DAY_MS,
      openRegistration: env.OPEN_REGISTRATION,
      egressAllowCidrs: env.EGRESS_ALLOW_CIDRS,
    },
    tracing: { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: env.OTEL_TRACES_SAMPLER_ARG },
    bootstrap: {
      email: env.BOOTSTRAP_EMAIL,
      password: env.BOOTSTRAP_PASSWORD,
      apiKey: env.BOOTSTRAP_API_KEY,
      balanceMicros: env.BOOTSTRAP_BALANCE,
    },
    model: {
      baseUrl: env.OPENAI_BASE_URL,
      apiKey: env.OPENAI_API_KEY,
      model: env.OPENAI_MODEL,
      timeoutMs: env.MODEL_TIMEOUT_SECONDS * SECOND_MS,
      catalogFile: env.CATALOG_FILE,
    },
    speech: speechFrom(env),
    embeddings: {
      model: env.EMBEDDINGS_MODEL,
      dimensions: env.EMBEDDINGS_DIMENSIONS,
      ...embeddingsServerFrom(env),
      timeoutMs: env.MODEL_TIMEOUT_SECONDS * SECOND_MS,
    },
    storage: { s3: s3From(env) },
    telephony: {
      sandboxSpeed: env.SANDBOX_SPEED,
      sandboxMedia: env.SANDBOX_MEDIA,
      sandboxCarrierUrl: env.SANDBOX_CARRIER_URL?.replace(/\/+$/, ''),
      sandboxDir: join(env.DATA_DIR, 'sandbox-carrier'),
      dialLeaseMs: env.DIAL_LEASE_SECONDS * SECOND_MS,
      sip: env.SIP_LISTEN && {
        listen: env.SIP_LISTEN,
        publicAddress: env.SIP_PUBLIC_ADDRESS,
        callsPerSecond: env.SIP_CALLS_PER_SECOND,
        isWideband: env.SIP_WIDEBAND,
        tls: sipTlsFrom(env),
        rtpPorts: env.RTP_PORTS,
      },
      twilio: twilioFrom(env),
      livekit: livekitFrom(env),
      transferCountries: env.TRANSFER_COUNTRIES,
    },
    calls: {
      pricePerMinuteMicros: env.CALL_PRICE_PER_MINUTE,
      carrierPricePerMinuteMicros: env.CARRIER_PRICE_PER_MINUTE,
      maxInParallel: env.CALLS_MAX_IN_PARALLEL,
      callingHours: env.CALLING_HOURS,
    },
    voice: {
      forks: env.VOICE_PROCESSES,
      maxCalls: env.VOICE_MAX_CALLS,
      listen: hostAndPort(env.VOICE_LISTEN),
      address: env.VOICE_ADDRESS,
    },
    chat: {
      maxToolSteps: env.CHAT_MAX_TOOL_STEPS,
      maxToolsPerStep: env.CHAT_MAX_TOOLS_PER_STEP,
      historyMessages: env.CHAT_HISTORY_MESSAGES,
      turnTimeoutMs: env.CHAT_TURN_TIMEOUT_SECONDS * SECOND_MS,
      queuePerConversation: env.CHAT_QUEUE_PER_CONVERSATION,
    },
    limits: {
      enabled: env.RATE_LIMITS,
      perKeyPerMinute: env.RATE_LIMIT_PER_KEY_PER_MINUTE,
      perAddressPerMinute: env.RATE_LIMIT_PER_ADDRESS_PER_MINUTE,
      perConversationPerMinute: env.RATE_LIMIT_PER_CONVERSATION_PER_MINUTE,
      streamsPerAccount: env.STREAMS_PER_ACCOUNT,
      visitorStreamsPerAccount: env.VISITOR_STREAMS_PER_ACCOUNT,
      streamsPerAddress: env.STREAMS_PER_ADDRESS,
      importsPerAccount: env.IMPORTS_PER_ACCOUNT,
      simulationsPerAccount: env.SIMULATIONS_PER_ACCOUNT,
      simulationRunsPerDay: env.SIMULATION_RUNS_PER_DAY,
      simulationTokensPerDay: env.SIMULATION_TOKENS_PER_DAY,
      dailySpendCapMicros: env.DAILY_SPEND_CAP,
      visitors: {
        conversationsPerHour: env.VISITOR_CONVERSATIONS_PER_HOUR,
        conversationsPerAddressPerHour: env.VISITOR_CONVERSATIONS_PER_ADDRESS_PER_HOUR,
        callsPerAssistant: env.VISITOR_CALLS_PER_ASSISTANT,
        callsPerAddress: env.VISITOR_CALLS_PER_ADDRESS,
        messagesPerHour: env.VISITOR_MESSAGES_PER_HOUR,
        dailySpendPerAssistantMicros: env.VISITOR_DAILY_SPEND_PER_ASSISTANT,
        dailySpendPerAccountMicros: env.VISITOR_DAILY_SPEND_PER_ACCOUNT,
        challengeDifficulty: env.VISITOR_CHALLENGE_DIFFICULTY,
      },
    },
    retention: {
      settledHoldsMs: env.HOLD_RETENTION_DAYS * DAY_MS,
      dialAttemptsMs: env.DIAL_ATTEMPT_RETENTION_DAYS * DAY_MS,
      knownAddressesMs: env.KNOWN_ADDRESS_DAYS * DAY_MS,
      recordingsMs: env.RECORDING_RETENTION_DAYS && env.RECORDING_RETENTION_DAYS * DAY_MS,
      callsMs: env.CALL_RETENTION_DAYS && env.CALL_RETENTION_DAYS * DAY_MS,
      conversationsMs: env.CONVERSATION_RETENTION_DAYS && env.CONVERSATION_RETENTION_DAYS * DAY_MS,
      auditLogMs: env.AUDIT_RETENTION_DAYS * DAY_MS,
      simulationsMs: env.SIMULATION_RETENTION_DAYS * DAY_MS,
    },
    webhooks: {
      retryScale: env.RETRY_SCALE,
      timeoutMs: env.WEBHOOK_TIMEOUT_SECONDS * SECOND_MS,
      retentionMs: env.WEBHOOK_RETENTION_DAYS * DAY_MS,
    },
  };
}

/** @param text as the schema has checked it */
function hostAndPort(text: string): { host: string; port: number } {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

function speechFrom(env: Environment): SpeechConfig {
  // As with embeddings: a server of its own has a key of its own.
  const openai = env.SPEECH_BASE_URL
    ? { baseUrl: env.SPEECH_BASE_URL, apiKey: env.SPEECH_API_KEY }
    : { baseUrl: env.OPENAI_BASE_URL, apiKey: env.SPEECH_API_KEY ?? env.OPENAI_API_KEY };
  return {
    openai: {
      ...openai,
      recognizerModel: env.SPEECH_TO_TEXT_MODEL,
      synthesizerModel: env.TEXT_TO_SPEECH_MODEL,
    },
    deepgram: { apiKey: env.DEEPGRAM_API_KEY, baseUrl: env.DEEPGRAM_BASE_URL },
    elevenlabs: { apiKey: env.ELEVEN_API_KEY, baseUrl: env.ELEVEN_BASE_URL },
    google: { apiKey: env.GOOGLE_API_KEY, baseUrl: env.GOOGLE_BASE_URL },
    xai: { apiKey: env.XAI_API_KEY, baseUrl: env.XAI_BASE_URL },
    modelsDir: env.SPEECH_MODELS_DIR,
  };
}

/** A server of its own has a key of its own: the other server's is not shown to it. */
function embeddingsServerFrom(env: Environment): Pick<EmbeddingsConfig, 'baseUrl' | 'apiKey'> {
  return env.EMBEDDINGS_BASE_URL
    ? { baseUrl: env.EMBEDDINGS_BASE_URL, apiKey: env.EMBEDDINGS_API_KEY }
    : { baseUrl: env.OPENAI_BASE_URL, apiKey: env.EMBEDDINGS_API_KEY ?? env.OPENAI_API_KEY };
}

function twilioFrom({
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_AUTH_TOKEN: authToken,
  TWILIO_MACHINE_DETECTION: machineDetection,
  PUBLIC_URL: publicUrl,
}: Environment): TwilioConfig | undefined {
  if (publicUrl === undefined || !isForTwilio(new URL(publicUrl))) return undefined;
  const account = accountSid && authToken ? { accountSid, authToken } : null;
  return { publicUrl: publicUrl.replace(/\/+$/, ''), machineDetection, account };
}

function livekitFrom(env: Environment): LiveKitConfig | undefined {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = env;
  if (!url || !apiKey || !apiSecret) return undefined;
  return { url: url.replace(/^http/, 'ws').replace(/\/+$/, ''), apiKey, apiSecret };
}

function sipTlsFrom(env: Environment): SipConfig['tls'] {
  const { SIP_TLS_PORT: port, SIP_TLS_KEY: key, SIP_TLS_CERT: cert, SIP_TLS_CA: ca } = env;
  if (!key || !cert) return undefined;
  const caOf = (text: string | undefined) => (text === undefined ? undefined : [...rootCertificates, text]);
  const reread = async () => ({
    key: await rereadPem(key),
    cert: await rereadPem(cert),
    ca: caOf(ca && (await rereadPem(ca))),
  });
  return { port, key: key.text, cert: cert.text, ca: caOf(ca?.text), reread };
}

function s3From(env: Environment): StorageConfig['s3'] {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined;
  return { endpoint, region, bucket, accessKeyId, secretAccessKey };
}
