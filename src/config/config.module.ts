import { type DynamicModule, Module } from '@nestjs/common';
import {
  BootstrapConfig,
  CallsConfig,
  ChatConfig,
  type Config,
  DatabaseConfig,
  EmbeddingsConfig,
  LimitsConfig,
  MailConfig,
  OidcConfig,
  ModelConfig,
  RetentionConfig,
  SecurityConfig,
  ServerConfig,
  SpeechConfig,
  StorageConfig,
  TelephonyConfig,
  VoiceConfig,
  WebhooksConfig,
} from './config.js';

/** Offers each area of the configuration under its class, so that a service names only what it needs. */
@Module({})
export class ConfigModule {
  static of(config: Config): DynamicModule {
    const providers = [
      { provide: ServerConfig, useValue: config.server },
      { provide: DatabaseConfig, useValue: config.database },
      { provide: SecurityConfig, useValue: config.security },
      { provide: BootstrapConfig, useValue: config.bootstrap },
      { provide: ModelConfig, useValue: config.model },
      { provide: SpeechConfig, useValue: config.speech },
      { provide: EmbeddingsConfig, useValue: config.embeddings },
      { provide: StorageConfig, useValue: config.storage },
      { provide: MailConfig, useValue: config.mail },
      { provide: OidcConfig, useValue: config.oidc },
      { provide: TelephonyConfig, useValue: config.telephony },
      { provide: CallsConfig, useValue: config.calls },
      { provide: VoiceConfig, useValue: config.voice },
      { provide: ChatConfig, useValue: config.chat },
      { provide: LimitsConfig, useValue: config.limits },
      { provide: RetentionConfig, useValue: config.retention },
      { provide: WebhooksConfig, useValue: config.webhooks },
    ];
    return {
      module: ConfigModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
