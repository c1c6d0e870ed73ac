import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { hashToken, makeToken } from '../../src/common/auth/opaque-token.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { freePort } from '../../test/support/free-port.js';

const ASSISTANT = {
  name: 'Loja',
  type: 'inbound',
  mode: 'pipeline',
  language_id: 1,
  voice_id: 1,
  llm_model_id: 1,
  timezone: 'America/Sao_Paulo',
  initial_message: 'Olá!',
  system_prompt: 'Você atende os clientes de uma loja.',
};

/** `node dist/main.js` on a database of its own, with an account that has a key. */
export class ProsaProcess {
  private readonly key = makeToken('prosa_');

  private constructor(
    readonly child: ChildProcess,
    readonly origin: string,
    private readonly database: Client,
    private readonly clean: () => Promise<void>,
  ) {}

  /** @param environment on top of what a benchmark needs */
  static async start(environment: Record<string, string>): Promise<ProsaProcess> {
    const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'));
    // Under root the database runs as another user, who must get in.
    await chmod(dataDir, 0o711);
    const postgres = await EmbeddedPostgres.start({ dataDir, log: (line) => console.log(line) });
    const database = new Client({ connectionString: postgres.url });
    await database.connect();
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/main.js'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        PROSA_ROLES: 'api',
        PORT: String(port),
        LOG_LEVEL: 'error',
        RATE_LIMITS: 'off',
        DATA_DIR: dataDir,
        DATABASE_URL: postgres.url,
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        ...environment,
      },
    });
    const prosa = new ProsaProcess(child, `http://127.0.0.1:${port}`, database, async () => {
      await database.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    try {
      await prosa.ready();
      await prosa.addAccount();
    } catch (error) {
      await prosa.stop();
      throw error;
    }
    return prosa;
  }

  /** Ends it if it still runs, and takes away all that it has left. */
  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.clean();
  }

  /** A new assistant, and its UUID. */
  async addAssistant(overrides: object = {}): Promise<string> {
    const id = await this.createAssistant(overrides);
    const { rows } = await this.database.query<{ uuid: string }>(
      'SELECT uuid FROM assistants WHERE id = $1',
      [id],
    );
    return rows[0]?.uuid ?? '';
  }

  /** A new assistant, and its id. */
  async createAssistant(overrides: object = {}): Promise<number> {
    const { data } = await this.post<{ data: { id: number } }>('/api/user/assistant', {
      ...ASSISTANT,
      ...overrides,
    });
    return data.id;
  }

  /** Lets an assistant answer the calls to its number. */
  async activate(assistantId: number): Promise<void> {
    await this.send('PUT', `/api/user/assistant/${assistantId}`, { status: 'active' });
  }

  async openConversation(assistantUuid: string): Promise<string> {
    const body = { assistant_id: assistantUuid };
    const made = await this.post<{ conversation_id: string }>('/api/conversations', body);
    return made.conversation_id;
  }

  /** @throws Error for any answer that is no success */
  post<Body>(path: string, body: object): Promise<Body> {
    return this.send('POST', path, body);
  }

  /** @throws Error for any answer that is no success */
  get<Body>(path: string): Promise<Body> {
    return this.send('GET', path);
  }

  private async send<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(this.origin + path, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${this.key}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Body;
  }

  private async ready(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const isReady = await fetch(`${this.origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      if (this.child.exitCode !== null || tries > 600) throw new Error('Prosa did not start');
      await sleep(100);
    }
  }

  private async addAccount(): Promise<void> {
    const { rows } = await this.database.query<{ id: number }>(
      `INSERT INTO users (plan_id, name, email)
       SELECT id, 'Bench', 'bench@example.com' FROM plans WHERE code = 'unlimited' RETURNING id`,
    );
    const userId = rows[0]?.id;
    await this.database.query('INSERT INTO wallets (user_id, balance_micros) VALUES ($1, 1000000000)', [
      userId,
    ]);
    await this.database.query("INSERT INTO api_keys (user_id, name, token_hash) VALUES ($1, 'bench', $2)", [
      userId,
      hashToken(this.key),
    ]);
  }

  /** A session in a browser takes the key once. */
  get apiKey(): string {
    return this.key;
  }
}
