import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { createApp } from '../../src/boot/create-app.js';
import { Logger } from '../../src/common/observability/logger.js';
import { configFrom } from '../../src/config/config.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { cloneDatabase, type TestDatabase } from './database.js';

export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** An account with a key, made through the services as an operator would. */
export interface TestAccount {
  readonly userId: number;
  readonly email: string;
  readonly token: string;
}

/** The real application on a real, private database. */
export class TestApp {
  private accounts = 0;

  private constructor(
    readonly app: NestExpressApplication,
    readonly database: TestDatabase,
  ) {}

  /** @param environment variables on top of the test defaults (limits off, everything else as with an empty environment) */
  static async start(environment: Record<string, string> = {}): Promise<TestApp> {
    const database = await cloneDatabase();
    const config = configFrom(
      parseEnvironment({
        PROSA_ROLES: 'api',
        RATE_LIMITS: 'off',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
        DATABASE_URL: database.url,
        DATABASE_POOL_SIZE: '10',
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
        ...environment,
      }),
    );
    const app = await createApp({
      config,
      logger: Logger.create(config.server.logLevel),
      databaseUrl: database.url,
      encryptionKeys: [TEST_ENCRYPTION_KEY],
    });
    await app.listen(0, '127.0.0.1');
    return new TestApp(app, database);
  }

  get server(): Server {
    return this.app.getHttpServer();
  }

  /** `http://127.0.0.1:port` of the listening server. */
  get origin(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the test app does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** A request without a token. */
  get http() {
    return request(this.server);
  }

  /** Requests as an account: `as(account).get('/api/user/me')`. */
  as(account: Pick<TestAccount, 'token'>) {
    const call = (method: 'get' | 'post' | 'put' | 'delete') => (path: string) =>
      request(this.server)[method](path).set('Authorization', `Bearer ${account.token}`);
    return { get: call('get'), post: call('post'), put: call('put'), delete: call('delete') };
  }

  async account(
    details: { balanceUsd?: number; email?: string; password?: string } = {},
  ): Promise<TestAccount> {
    const email = details.email ?? `user${++this.accounts}@example.com`;
    const { id } = await this.app
      .get(AccountsService)
      .create({ name: 'Ana', email, password: details.password });
    const { token } = await this.app.get(ApiKeysService).create(id, 'test');
    if (details.balanceUsd) {
      await this.app.get(BillingService).credit(id, Math.round(details.balanceUsd * 1_000_000), 'test');
    }
    return { userId: id, email, token };
  }

  /** Looks into the database behind the API. */
  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return this.app.get(Database).query<Row>(sql, parameters);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }
}
