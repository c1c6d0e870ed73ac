import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import { API_PREFIX } from '../boot/create-app.js';
import { openApiOf } from '../boot/docs.js';
import { Logger } from '../common/observability/logger.js';
import { configFrom } from '../config/config.js';
import { parseEnvironment } from '../config/environment.js';

/** Nothing connects: in preview mode routes are read, and no provider is made. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

// Prints the OpenAPI document, the same whatever the environment of this machine.
const settings = {
  config: configFrom(parseEnvironment({ PROSA_ROLES: 'api' })),
  logger: Logger.create('fatal'),
  databaseUrl: NOWHERE,
  encryptionKeys: [Buffer.alloc(32).toString('base64')],
};
const app = await NestFactory.create<NestExpressApplication>(AppModule.of(settings), {
  preview: true,
  logger: false,
  abortOnError: false,
});
app.setGlobalPrefix(...API_PREFIX);
process.stdout.write(`${JSON.stringify(openApiOf(app), null, 2)}\n`);
