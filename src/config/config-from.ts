import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { type DestinationRules, SERVICE_CODES } from './destination-rules.js';
import { type Environment, isForTwilio } from './environment.js';
import { rereadPem } from './pem.js';
import type {
  SpeechConfig,
  EmbeddingsConfig,
  S3RoleConfig,
  OidcConfig,
  StorageConfig,
  TwilioConfig,
  LiveKitConfig,
  SipConfig,
  Config,
} from './config.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** The areas as the environment sets them. */
export function configFrom(env: Environment): Config {
  return {
    server: {
      // The forked processes have the voice role in its place.
      roles: new Set(env.PROSA_ROLES.filter((role) => env.VOICE_PROCESSES === 0 || role !== 'voice')),
      plugins: env.PROSA_PLUGINS,
      isPaused: env.PROSA_PAUSED,
      host: env.HOST,
      port: env.PORT,
      operationsPort: env.OPERATIONS_PORT,
      metrics: env.METRICS,
      docs: env.DOCS,
      publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
      trustProxy: env.TRUST_PROXY,
      corsOrigins: env.CORS_ORIGINS,
      logLevel: env.LOG_LEVEL,
      shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * SECOND_MS,
      shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_SECONDS * SECOND_MS,
      callDrainMs: env.CALL_DRAIN_SECONDS * SECOND_MS,
      callHandoverMs: env.CALL_HANDOVER_SECONDS * SECOND_MS,
      maxConnections: env.HTTP_MAX_CONNECTIONS,
      headersTimeoutMs: env.HTTP_HEADERS_TIMEOUT_SECONDS * SECOND_MS,
      bodyTimeoutMs: env.HTTP_BODY_TIMEOUT_SECONDS * SECOND_MS,
      keepAliveMs: env.HTTP_KEEP_ALIVE_SECONDS * SECOND_MS,
    },
    database: {
      url: env.DATABASE_URL,
      migrationUrl: env.MIGRATION_DATABASE_URL,
      poolSize: env.DATABASE_POOL_SIZE,
      waitMs: env.DATABASE_WAIT_SECONDS * SECOND_MS,
      embeddedPort: env.EMBEDDED_PG_PORT,
      dataDir: env.DATA_DIR,
      redisUrl: env.REDIS_URL,
    },
    security: {
      encryptionKeys: env.ENCRYPTION_KEY,
      sessionTtlMs: env.SESSION_TTL_DAYS * DAY_MS,
      openRegistration: env.OPEN_REGISTRATION,
      allowsPasswords: env.PASSWORD_SIGN_IN,
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
      embeddingModel: env.EMBEDDINGS_MODEL,
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
    storage: { spoolBytes: env.RECORDINGS_SPOOL_BYTES, s3: s3From(env) },
    oidc: { provider: oidcFrom(env) },
    mail: { smtp: env.SMTP_URL && env.SMTP_FROM ? { ...env.SMTP_URL, from: env.SMTP_FROM } : undefined },
    telephony: {
      sandboxSpeed: env.SANDBOX_SPEED,
      sandboxMedia: env.SANDBOX_MEDIA,
      sandboxCarrierUrl: env.SANDBOX_CARRIER_URL?.replace(/\/+$/, ''),
      sandboxDir: join(env.DATA_DIR, 'sandbox-carrier'),
      dialLeaseMs: env.DIAL_LEASE_SECONDS * SECOND_MS,
      allowsWideRanges: env.SIP_WIDE_RANGES,
      sip: env.SIP_LISTEN && {
        listen: env.SIP_LISTEN,
        publicAddress: env.SIP_PUBLIC_ADDRESS,
        callsPerSecond: env.SIP_CALLS_PER_SECOND,
        trunkCallsPerSecond: env.SIP_TRUNK_CALLS_PER_SECOND,
        isWideband: env.SIP_WIDEBAND,
        tls: sipTlsFrom(env),
        proxy: env.SIP_PROXY,
        processPorts: env.SIP_PROCESS_PORTS,
        rtpPorts: env.RTP_PORTS,
      },
      twilio: twilioFrom(env),
      livekit: livekitFrom(env),
      livekitSip:
        env.SIP_CARRIER === 'livekit'
          ? { callsPerSecond: env.SIP_CALLS_PER_SECOND, trunkCallsPerSecond: env.SIP_TRUNK_CALLS_PER_SECOND }
          : undefined,
      destinations: destinationRulesFrom(env),
      transferCountries: env.TRANSFER_COUNTRIES,
      verificationNumberId: env.VERIFICATION_PHONE_NUMBER_ID,
    },
    calls: {
      pricePerMinuteMicros: env.CALL_PRICE_PER_MINUTE,
      carrierPricePerMinuteMicros: env.CARRIER_PRICE_PER_MINUTE,
      maxHoldSeconds: env.MAX_HOLD_SECONDS,
      forwardMaxSeconds: env.FORWARD_MAX_SECONDS,
      maxInParallel: env.CALLS_MAX_IN_PARALLEL,
      visitorShare: env.VISITOR_CALLS_SHARE,
      accountCallsPerSecond: env.ACCOUNT_CALLS_PER_SECOND,
      callingHours: env.CALLING_HOURS,
    },
    voice: {
      forks: env.VOICE_PROCESSES,
      maxCalls: env.VOICE_MAX_CALLS,
      fallbackCalls: env.VOICE_FALLBACK_CALLS,
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
      perDay: {
        simulationRuns: env.SIMULATION_RUNS_PER_DAY,
        simulationTokens: env.SIMULATION_TOKENS_PER_DAY,
        testMessages: env.TEST_MESSAGES_PER_DAY,
        testTokens: env.TEST_TOKENS_PER_DAY,
        knowledgeSearches: env.KNOWLEDGE_SEARCHES_PER_DAY,
      },
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
    azure: {
      apiKey: env.AZURE_SPEECH_KEY,
      region: env.AZURE_SPEECH_REGION,
      baseUrl: env.AZURE_SPEECH_BASE_URL,
    },
    cartesia: { apiKey: env.CARTESIA_API_KEY, baseUrl: env.CARTESIA_BASE_URL },
    modelsDir: env.SPEECH_MODELS_DIR,
  };
}

/** A server of its own has a key of its own: the other server's is not shown to it. */
function embeddingsServerFrom(env: Environment): Pick<EmbeddingsConfig, 'baseUrl' | 'apiKey'> {
  return env.EMBEDDINGS_BASE_URL
    ? { baseUrl: env.EMBEDDINGS_BASE_URL, apiKey: env.EMBEDDINGS_API_KEY }
    : { baseUrl: env.OPENAI_BASE_URL, apiKey: env.EMBEDDINGS_API_KEY ?? env.OPENAI_API_KEY };
}

/** Service codes alone name no countries, so all remain allowed. */
function destinationRulesFrom({
  CALL_COUNTRIES: named,
  CALL_NUMBER_TYPES: types,
}: Environment): DestinationRules {
  const isServiceCode = (value: string) => SERVICE_CODES.some((code) => code === value);
  return {
    countries: named.filter((value) => !isServiceCode(value)),
    serviceCodes: named.filter(isServiceCode),
    types: new Set(types),
  };
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

function oidcFrom({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_ACCOUNT: account,
  OIDC_ROLES: roles,
  OIDC_SCOPES: scopes,
}: Environment): OidcConfig['provider'] {
  if (!issuer || !clientId || !clientSecret || !account || !roles) return undefined;
  return { issuer, clientId, clientSecret, accountEmail: account.toLowerCase(), roles, scopes };
}

function s3From(env: Environment): StorageConfig['s3'] {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!endpoint || !bucket) return undefined;
  const keys = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return { endpoint, region, bucket, keys, role: s3RoleFrom(env) };
}

function s3RoleFrom(env: Environment): S3RoleConfig {
  const { AWS_ROLE_ARN: roleArn, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile } = env;
  const relativeUri = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const fullUri = env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  return {
    webIdentity:
      roleArn && tokenFile
        ? {
            roleArn,
            tokenFile,
            sessionName: env.AWS_ROLE_SESSION_NAME,
            endpoint: env.AWS_ENDPOINT_URL_STS,
          }
        : undefined,
    container:
      relativeUri || fullUri
        ? { relativeUri, fullUri, tokenFile: env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE }
        : undefined,
    metadataEndpoint: env.AWS_EC2_METADATA_SERVICE_ENDPOINT,
  };
}
