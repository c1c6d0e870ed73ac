import type { DestinationRules } from './destination-rules.js';
import type { RoleRule } from './oidc.js';
import type { SmtpServer } from './smtp-server.js';

/** What the process serves, and where. Injected by class, as is each area below. */
export class ServerConfig {
  declare readonly roles: ReadonlySet<'api' | 'worker' | 'voice'>;
  /** Files, relative to the working directory, and names of packages. */
  declare readonly plugins: readonly string[];
  /** Whether the installation must not act outside: a restored copy that is looked at. */
  declare readonly isPaused: boolean;
  declare readonly host: string;
  declare readonly port: number;
  /**
   * Of health and metrics apart from the API; undefined means: none for a process with the API, otherwise one above
   * `port`.
   */
  declare readonly operationsPort: number | undefined;
  /** Whether metrics are shown at all. */
  declare readonly metrics: boolean;
  declare readonly docs: 'public' | 'operations' | 'off';
  declare readonly publicUrl: string | undefined;
  /** How many proxies in front may set X-Forwarded-For. */
  declare readonly trustProxy: number;
  declare readonly corsOrigins: readonly string[];
  declare readonly logLevel: string;
  /** How long a process that stops serves requests on before its public port closes. */
  declare readonly shutdownDelayMs: number;
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
  /** Of the role that owns the tables; undefined means: the role of `url`. */
  declare readonly migrationUrl: string | undefined;
  /** Connections of this process, all together. */
  declare readonly poolSize: number;
  /** How long a start waits for a server that is away. */
  declare readonly waitMs: number;
  declare readonly embeddedPort: number | undefined;
  declare readonly dataDir: string;
  declare readonly redisUrl: string | undefined;
}

export class SecurityConfig {
  /** Base64 keys, newest first; undefined means: make one and keep it in the data folder. */
  declare readonly encryptionKeys: readonly string[] | undefined;
  declare readonly sessionTtlMs: number;
  declare readonly openRegistration: boolean;
  /** False where people sign in through an identity provider alone. */
  declare readonly allowsPasswords: boolean;
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
  /** Answers for every assistant in place of its own model; undefined means: as named, where the server has it. */
  declare readonly model: string | undefined;
  /** The one that documents are embedded with: never asked for an answer in place of another. */
  declare readonly embeddingModel: string | undefined;
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
  declare readonly azure: AzureSpeechServer;
  declare readonly cartesia: SpeechServer;
  /** Models of this machine, one folder each; undefined means none. */
  declare readonly modelsDir: string | undefined;
}

/** How a provider of speech is reached. `baseUrl` undefined means its public address. */
export interface SpeechServer {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
}

/** A Speech resource of Azure: its key is valid in its region alone. */
export interface AzureSpeechServer extends SpeechServer {
  readonly region: string | undefined;
}

export class EmbeddingsConfig {
  /** Undefined means: search by words alone. */
  declare readonly model: string | undefined;
  declare readonly dimensions: number | undefined;
  declare readonly baseUrl: string | undefined;
  declare readonly apiKey: string | undefined;
  declare readonly timeoutMs: number;
}

/** Where the credentials of a role come from, as Amazon's services name it to a process. */
export interface S3RoleConfig {
  /** Undefined: there is no token of a cluster. */
  readonly webIdentity:
    | {
        readonly roleArn: string;
        readonly tokenFile: string;
        readonly sessionName: string;
        /** Of the Security Token Service; undefined means: that of the region. */
        readonly endpoint: string | undefined;
      }
    | undefined;
  /** Undefined: the container has no role of its own. One of both addresses is set. */
  readonly container:
    | {
        readonly relativeUri: string | undefined;
        readonly fullUri: string | undefined;
        readonly tokenFile: string | undefined;
      }
    | undefined;
  /** Of the machine's metadata service. */
  readonly metadataEndpoint: string;
}

export class StorageConfig {
  /** New calls are not recorded while so much of recordings is on the disk of a voice process. */
  declare readonly spoolBytes: number;
  /** Undefined means: a folder of the data folder. */
  declare readonly s3:
    | {
        readonly endpoint: string;
        readonly region: string;
        readonly bucket: string;
        /** Undefined means: those of the role. */
        readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
        readonly role: S3RoleConfig;
      }
    | undefined;
}

export class OidcConfig {
  /** Undefined means: people sign in with passwords alone. */
  declare readonly provider:
    | {
        readonly issuer: string;
        readonly clientId: string;
        readonly clientSecret: string;
        /** E-mail of the account that people join. */
        readonly accountEmail: string;
        readonly roles: readonly RoleRule[];
        /** With spaces in between. */
        readonly scopes: string;
      }
    | undefined;
}

export class MailConfig {
  /** Undefined means: no e-mail is sent. */
  declare readonly smtp: (SmtpServer & { readonly from: string }) | undefined;
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
  /** After so long an attempt that is still being sent is taken over, if no process holds its lead. */
  declare readonly dialLeaseMs: number;
  /** Whether trunks may list ranges wider than /24 (IPv4) and /48 (IPv6). */
  declare readonly allowsWideRanges: boolean;
  /** The user agent of SIP trunks; undefined means: none, and their numbers are the sandbox's. */
  declare readonly sip: SipConfig | undefined;
  /** Undefined where Twilio could not reach this installation. */
  declare readonly twilio: TwilioConfig | undefined;
  /** The server of rooms that web calls may go through; undefined means: they go over WebSockets alone. */
  declare readonly livekit: LiveKitConfig | undefined;
  /** Set where calls of SIP trunks go out by the SIP service of the LiveKit server, and not by our user agent. */
  declare readonly livekitSip: LiveKitSipConfig | undefined;
  /** Where calls may go on carriers that accounts share. */
  declare readonly destinations: DestinationRules;
  /** ISO 3166 codes of where a model may transfer a call to; empty means: the country of the assistant's number. */
  declare readonly transferCountries: readonly string[];
  /** Id of the number that all calls are made from that prove numbers; undefined means: one the account rents. */
  declare readonly verificationNumberId: number | undefined;
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

export interface LiveKitSipConfig {
  /** Of all trunks together; undefined means no limit. */
  readonly callsPerSecond: number | undefined;
  /** Of each trunk; undefined means no limit. */
  readonly trunkCallsPerSecond: number | undefined;
}

export interface SipConfig {
  /** Of UDP and TCP. */
  readonly listen: { readonly host: string; readonly port: number };
  /** The address that operators send to; undefined means: the address they see us by. */
  readonly publicAddress: string | undefined;
  /** A proxy between the processes and the operators; undefined means: there is none. */
  readonly proxy: { readonly host: string; readonly port: number } | undefined;
  /** Of all trunks together; undefined means no limit. */
  readonly callsPerSecond: number | undefined;
  /** Of each trunk; undefined means no limit. */
  readonly trunkCallsPerSecond: number | undefined;
  /** Whether G.722 is offered and taken, and Opus taken. */
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
  /**
   * Where voice processes place calls while another one has `listen`; undefined: they place none. Both ends belong to
   * it.
   */
  readonly processPorts: { readonly from: number; readonly to: number } | undefined;
  /** Both ends belong to it. */
  readonly rtpPorts: { readonly from: number; readonly to: number };
}

/** The processes that carry the sound of calls. */
export class VoiceConfig {
  /** How many of them this process forks. */
  declare readonly forks: number;
  /** Calls with sound that one process takes at once. */
  declare readonly maxCalls: number;
  /** Calls without an assistant that one process takes at once, in addition to those. */
  declare readonly fallbackCalls: number;
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
  /** How long a far end may keep an answered call on hold without a break. */
  declare readonly maxHoldSeconds: number;
  /** How long a call that is forwarded without an assistant may last. */
  declare readonly forwardMaxSeconds: number;
  /** Calls of all accounts at the same time. */
  declare readonly maxInParallel: number;
  /** The part of the lines that visitors' calls from browsers may take, from 0 to 1. */
  declare readonly visitorShare: number;
  /** Of each account whose plan says no other; undefined means no limit. */
  declare readonly accountCallsPerSecond: number | undefined;
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

/** Work that is free for an account and limited for a day. The names are stored. */
export type DailyResource =
  'simulationRuns' | 'simulationTokens' | 'testMessages' | 'testTokens' | 'knowledgeSearches';

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
  declare readonly perDay: Readonly<Record<DailyResource, number>>;
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
  readonly mail: MailConfig;
  readonly oidc: OidcConfig;
  readonly telephony: TelephonyConfig;
  readonly calls: CallsConfig;
  readonly voice: VoiceConfig;
  readonly chat: ChatConfig;
  readonly limits: LimitsConfig;
  readonly webhooks: WebhooksConfig;
  readonly retention: RetentionConfig;
}
