import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../app.module.js';
import { Logger } from '../common/observability/logger.js';
import { configFrom } from '../config/config-from.js';
import { parseEnvironment } from '../config/environment.js';
import { API_PREFIX } from './create-app.js';
import { openApiOf } from './docs.js';

/** Nothing connects: in preview mode routes are read, and no provider is made. */
const NOWHERE = 'postgres://none@127.0.0.1:1/none';

/** The OpenAPI document of this version, without a database; independent of the environment of this machine. */
export async function openApiOfRoutes(): Promise<OpenAPIObject> {
  const key = Buffer.alloc(32).toString('base64');
  const environment = { PROSA_ROLES: 'api', DATABASE_URL: NOWHERE, ENCRYPTION_KEY: key };
  const settings = {
    config: configFrom(parseEnvironment(environment)),
    logger: Logger.create('fatal'),
    databaseUrl: NOWHERE,
    encryptionKeys: [key],
  };
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(settings), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  app.setGlobalPrefix(...API_PREFIX);
  return openApiOf(app);
}
