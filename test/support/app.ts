import { randomBytes, scryptSync } from 'node:crypto';
import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import request from 'supertest';
import { createApp } from '../../src/boot/create-app.js';
import { openApiOf } from '../../src/boot/docs.js';
import { Logger } from '../../src/common/observability/logger.js';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import { Database } from '../../src/database/database.js';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import type { Plugin } from '../../src/plugins/plugin.js';
import { ContractCheck } from '../../src/contract/contract-check.js';
import { cloneDatabase, type TestDatabase } from './database.js';

export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** An account with a key, made through the services as an operator would. */
export interface TestAccount {
  readonly userId: number;
  readonly email: string;
  readonly token: string;
}

const CONTRACTS = Symbol.for('prosa.test.contracts');
const CHEAP_SCRYPT = { N: 1_024, r: 8, p: 1 };

/** The pages that show the document. */
const UNDOCUMENTED = /^\/docs/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
type Method = (typeof METHODS)[number];
type Send = (path: string) => request.Test;

/**
 * The document comes of the code and of its plugins alone. To build it, and the rules for its answers, takes as much of the
 * processor as to start the application, so all spec files of a process share one. This file is loaded for each of them.
 */
function contractOf(plugins: string, build: () => OpenAPIObject): ContractCheck {
  const shared = globalThis as { [CONTRACTS]?: Map<string, ContractCheck> };
  const contracts = (shared[CONTRACTS] ??= new Map());
  const known = contracts.get(plugins) ?? new ContractCheck(build());
  contracts.set(plugins, known);
  return known;
}

/** The real application on a real, private database. Every answer is held against the OpenAPI document. */
export class TestApp {
  private accounts = 0;

  private constructor(
    readonly app: NestExpressApplication,
    readonly database: TestDatabase,
    private readonly plugins: readonly Plugin[],
  ) {}

  /**
   * @param environment variables on top of the test defaults (limits off, everything else as with an empty environment)
   * @param through given the database's URL, says which one the application is to use
   * @param plugins whose texts, tools and events are added already
   */
  static async start(
    environment: Record<string, string> = {},
    through: (databaseUrl: string) => Promise<string> = async (url) => url,
    plugins: readonly Plugin[] = [],
  ): Promise<TestApp> {
    const database = await cloneDatabase();
    const databaseUrl = await through(database.url);
    const config = configFrom(
      parseEnvironment({
        PROSA_ROLES: 'api',
        RATE_LIMITS: 'off',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
        DATABASE_URL: databaseUrl,
        DATABASE_POOL_SIZE: '10',
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
        ...environment,
      }),
    );
    const app = await createApp({
      config,
      logger: Logger.create(config.server.logLevel),
      databaseUrl,
      encryptionKeys: [TEST_ENCRYPTION_KEY],
      plugins,
    });
    await app.listen(Number(environment.PORT ?? 0), '127.0.0.1');
    return new TestApp(app, database, plugins);
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

  /** The OpenAPI document of this very application. */
  get contract(): ContractCheck {
    const names = this.plugins.map(({ name }) => name).join();
    return contractOf(names, () => openApiOf(this.app, this.plugins));
  }

  /** A request without a token. */
  get http(): Record<Method, Send> {
    return this.requests((test) => test);
  }

  /** Requests as an account: `as(account).get('/api/user/me')`. */
  as({ token }: Pick<TestAccount, 'token'>): Record<Method, Send> {
    return this.requests((test) => test.set('Authorization', `Bearer ${token}`));
  }

  private requests(prepare: (test: request.Test) => request.Test): Record<Method, Send> {
    const sends = METHODS.map((method): [Method, Send] => [
      method,
      (path) => this.checked(method, path, prepare(request(this.server)[method](path))),
    ]);
    return Object.fromEntries(sends) as Record<Method, Send>;
  }

  /** Fails the request when its answer is not as documented. */
  private checked(method: Method, path: string, test: request.Test): request.Test {
    if (method === 'head' || method === 'options' || UNDOCUMENTED.test(path)) return test;
    return test.expect(({ status, headers, text }) => {
      const answer = { status, contentType: headers['content-type'] ?? '', text: text ?? '' };
      const problem = this.contract.problemOf(method, path, answer);
      if (problem) throw new Error(problem);
    });
  }

  async account(
    details: { balanceUsd?: number; email?: string; password?: string } = {},
  ): Promise<TestAccount> {
    const email = details.email ?? `user${++this.accounts}@example.com`;
    const { id } = await this.app.get(AccountsService).create({ name: 'Ana', email });
    if (details.password) await this.setPassword(id, details.password);
    const { token } = await this.app.get(ApiKeysService).create(id, 'test');
    if (details.balanceUsd) {
      await this.app.get(BillingService).credit(id, Math.round(details.balanceUsd * 1_000_000), 'test');
    }
    return { userId: id, email, token };
  }

  async balanceUsd(account: TestAccount): Promise<number> {
    return (await this.as(account).get('/api/user/me').expect(200)).body.total_balance;
  }

  /** As a hash that is checked in a millisecond: a hash names its cost, and the product's is for those who guess. */
  private async setPassword(userId: number, password: string): Promise<void> {
    const salt = randomBytes(16);
    const key = scryptSync(password, salt, 32, CHEAP_SCRYPT);
    const hash = [
      'scrypt',
      ...Object.values(CHEAP_SCRYPT),
      salt.toString('base64url'),
      key.toString('base64url'),
    ];
    await this.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, hash.join('$')]);
  }

  /** Looks into the database behind the API. */
  async query<Row = Record<string, unknown>>(
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return this.app.get(Database).query<Row>(sql, parameters);
  }

  /** What Prometheus reads at the operations port. */
  metrics(): Promise<string> {
    return this.app.get(MetricsService).read();
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }
}
