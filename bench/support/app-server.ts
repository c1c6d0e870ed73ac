// Prosa as it runs in production, but for the limits on requests.
import type { AddressInfo } from 'node:net';
import { announce } from './child-server.js';
import { fromDist } from './dist.js';

const { createApp } = await fromDist<typeof import('../../src/boot/create-app.js')>('boot/create-app.js');
const { Logger } = await fromDist<typeof import('../../src/common/observability/logger.js')>(
  'common/observability/logger.js',
);
const { configFrom } =
  await fromDist<typeof import('../../src/config/config-from.js')>('config/config-from.js');
const { parseEnvironment } =
  await fromDist<typeof import('../../src/config/environment.js')>('config/environment.js');

const encryptionKeys = [Buffer.alloc(32, 1).toString('base64')];
const config = configFrom(
  parseEnvironment({
    PROSA_ROLES: 'api',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DATABASE_URL: process.env.DATABASE_URL,
    DATABASE_POOL_SIZE: process.env.DATABASE_POOL_SIZE,
    OPENAI_BASE_URL: process.env.OPENAI_BASE_URL,
    ENCRYPTION_KEY: encryptionKeys.join(','),
  }),
);
const app = await createApp({
  config,
  logger: Logger.create(config.server.logLevel),
  databaseUrl: config.database.url ?? '',
  encryptionKeys,
});
await app.listen(0, '127.0.0.1');
announce((app.getHttpServer().address() as AddressInfo).port);
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
