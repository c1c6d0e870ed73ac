import { type DynamicModule, Module } from '@nestjs/common';
import { CryptoModule } from './common/crypto/crypto.module.js';
import { EgressModule } from './common/egress/egress.module.js';
import { HttpModule } from './common/http/http.module.js';
import { LimitsModule } from './common/limits/limits.module.js';
import { LiveModule } from './common/live/live.module.js';
import type { Logger } from './common/observability/logger.js';
import { LoggerModule } from './common/observability/logger.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/config.js';
import { shareConnections } from './database/pool/connection-shares.js';
import { DatabaseModule } from './database/database.module.js';
import { allFeatures } from './all-features.js';
import { QueueModule } from './queues/queue.module.js';
import { PluginHostModule } from './plugins/plugin-host.module.js';
import type { Plugin } from './plugins/plugin.js';
import { WorkersModule } from './workers.module.js';

/** What has been found out before the app is built. */
export interface AppSettings {
  readonly config: Config;
  readonly logger: Logger;
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly string[];
  /** None when left out. */
  readonly plugins?: readonly Plugin[];
}

@Module({})
export class AppModule {
  static of({ config, logger, databaseUrl, encryptionKeys, plugins = [] }: AppSettings): DynamicModule {
    const connections = shareConnections(config.database.poolSize, {
      locks: config.server.roles.has('worker') || config.server.roles.has('voice'),
      trunks: config.server.roles.has('voice') && config.telephony.sip !== undefined,
      hasRedis: config.database.redisUrl !== undefined,
    });
    const all = allFeatures(plugins);
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        LoggerModule.of(logger),
        CryptoModule.of(encryptionKeys),
        DatabaseModule.of(
          databaseUrl,
          connections.data,
          plugins.flatMap(({ entities = [] }) => entities),
        ),
        EgressModule,
        HttpModule,
        LimitsModule,
        LiveModule,
        QueueModule.of(
          all.flatMap(({ jobs = [] }) => jobs),
          databaseUrl,
          config.database.redisUrl,
          connections.jobs,
        ),
        ...(plugins.length > 0 ? [PluginHostModule.of(plugins)] : []),
        ...all.flatMap(({ module }) => module ?? []),
        ...(config.server.roles.has('worker') ? [WorkersModule.of(all)] : []),
        ...(config.server.roles.has('voice') ? all.flatMap(({ voiceModules = [] }) => voiceModules) : []),
      ],
    };
  }
}
