import { expect } from '@jest/globals';
import { type TestAccount, TestApp } from './app.js';
import { DatabaseProxy } from './database-proxy.js';
import { until } from './until.js';

/** One request to a route that takes an Idempotency-Key, and what counts its effects. */
export interface KeyedRequest {
  readonly path: string;
  readonly body: object;
  readonly table: string;
  /** Rows that one request adds; 1 when left out. */
  readonly effects?: number;
}

/** What a route answers while the first request is not over, or is not known to be. */
const NOT_YET = new Set([409, 503]);
/** Longer than the lease of a request. */
const MAX_REPEAT_MS = 20_000;

/** A Prosa that does not hear what became of a commit, when a test wants it so. */
export class LostCommits {
  private constructor(
    readonly app: TestApp,
    private readonly proxy: DatabaseProxy,
  ) {}

  static async start(): Promise<LostCommits> {
    let proxy: DatabaseProxy | undefined;
    const app = await TestApp.start({}, async (url) => {
      proxy = await DatabaseProxy.start(url);
      return proxy.url;
    });
    if (!proxy) throw new Error('the application was started without a database');
    return new LostCommits(app, proxy);
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.proxy.stop();
  }

  /**
   * Sends the request until it is answered, the answer of its first commit being lost, and once more; expects one effect.
   *
   * @param operation `operationId` of the route; `idempotent-routes.spec.ts` looks for it in these calls
   */
  async expectOneEffect(
    operation: string,
    account: TestAccount,
    { path, body, table, effects = 1 }: KeyedRequest,
  ): Promise<void> {
    const send = () => this.app.as(account).post(path).set('Idempotency-Key', operation).send(body);
    const before = await this.countWhenBack(table);
    this.proxy.lost = 0;
    this.proxy.loseCommitOf('UPDATE idempotency_keys SET effect', 300);
    let answer = await send();
    expect(this.proxy.lost).toBe(1);
    await until(async () => {
      if (NOT_YET.has(answer.status)) answer = await send();
      return !NOT_YET.has(answer.status);
    }, MAX_REPEAT_MS);
    expect([200, 201, 202]).toContain(answer.status);
    const again = await send();
    expect([again.status, again.text]).toEqual([answer.status, answer.text]);
    expect((await this.countWhenBack(table)) - before).toBe(effects);
  }

  /** How many rows there are, as soon as the database answers again. */
  async countWhenBack(table: string): Promise<number> {
    let n = 0;
    await until(() =>
      this.app.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`).then(
        ([row]) => {
          n = row?.n ?? 0;
          return true;
        },
        () => false,
      ),
    );
    return n;
  }
}
