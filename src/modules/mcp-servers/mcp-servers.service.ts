import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../common/crypto/secret-box.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { text } from '../../i18n/catalogue.js';
import type { McpEndpoint } from '../../providers/mcp/mcp-client.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { CreateMcpServerRequest, UpdateMcpServerRequest } from './dto/mcp-server.request.js';
import { type McpHeader, unmasked } from './header-masks.js';
import type { McpServer } from './mcp-server.entity.js';
import { McpServerLimitError, McpServerNotFoundError } from './mcp-servers.errors.js';
import { McpServersRepository } from './mcp-servers.repository.js';
import { McpToolsRepository } from './mcp-tools.repository.js';

const DEFAULT_TIMEOUT_SECONDS = 10;
/** Nothing to seal. */
const NO_HEADERS = '';

/** A server with its headers opened. */
export interface McpServerDetails extends Omit<McpServer, 'sealedHeaders'> {
  readonly headers: readonly McpHeader[];
}

/** The servers of tools that an account has registered. */
@Injectable()
export class McpServersService {
  constructor(
    private readonly servers: McpServersRepository,
    private readonly tools: McpToolsRepository,
    private readonly accounts: AccountsService,
    private readonly secrets: SecretBox,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  async list(userId: number): Promise<McpServerDetails[]> {
    const { maxTools } = await this.accounts.limitsOf(userId);
    return (await this.servers.listOf(userId, maxTools)).map((server) => this.open(server));
  }

  /** @throws McpServerNotFoundError */
  async get(userId: number, id: number): Promise<McpServerDetails> {
    const server = (await this.servers.find(userId, id)) ?? McpServerNotFoundError.throw();
    return this.open(server);
  }

  /**
   * Registers a server; it is not asked for anything yet.
   *
   * @throws McpServerLimitError when there are as many as the plan allows tools
   */
  async create(userId: number, request: CreateMcpServerRequest): Promise<McpServerDetails> {
    const id = await this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, tx),
        referenceOf: String,
        recall: (reference) => Promise.resolve(Number(reference)),
      }),
    );
    return this.get(userId, id);
  }

  /**
   * Changes the fields that were sent; headers are replaced whole. Another address is another server: its tools have to be
   * allowed again, and it gets no header that was given for the old one.
   *
   * @throws McpServerNotFoundError
   */
  async update(userId: number, id: number, request: UpdateMcpServerRequest): Promise<McpServerDetails> {
    await this.transactions.run(async (tx) => {
      const server = (await this.servers.findLocked(userId, id, tx)) ?? McpServerNotFoundError.throw();
      await this.change(server, request, tx);
    });
    return this.get(userId, id);
  }

  /** @throws McpServerNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.servers.delete(userId, id))) throw new McpServerNotFoundError();
  }

  open({ sealedHeaders, ...server }: McpServer): McpServerDetails {
    if (sealedHeaders === NO_HEADERS) return { ...server, headers: [] };
    const opened = this.secrets.open(sealedHeaders, place(server.userId, server.id));
    return { ...server, headers: JSON.parse(opened) as McpHeader[] };
  }

  /** Returns its id. */
  private async add(userId: number, request: CreateMcpServerRequest, tx: Tx): Promise<number> {
    const { name, url, headers = [], timeout = DEFAULT_TIMEOUT_SECONDS } = request;
    const { maxTools } = await this.accounts.lockLimits(userId, tx);
    if ((await this.servers.count(userId, tx)) >= maxTools) throw new McpServerLimitError(maxTools);
    const id = await this.servers.nextId(tx);
    const sealedHeaders = this.seal(userId, id, whole(unmasked(headers, [])));
    const isNew = await this.servers.insert(
      { id, userId, name, url, sealedHeaders, timeoutSeconds: timeout },
      tx,
    );
    if (!isNew) throw nameTaken(name);
    return id;
  }

  private async change(server: McpServer, request: UpdateMcpServerRequest, tx: Tx): Promise<void> {
    const { id, userId } = server;
    const { name = server.name, url = server.url, timeout = server.timeoutSeconds } = request;
    const stored = new URL(url).origin === new URL(server.url).origin ? this.open(server).headers : [];
    const headers = request.headers ? whole(unmasked(request.headers, stored)) : stored;
    const isMoved = url !== server.url;
    const isNew = await this.servers.update(
      id,
      {
        name,
        url,
        timeoutSeconds: timeout,
        sealedHeaders: this.seal(userId, id, headers),
        refreshedAt: isMoved ? null : server.refreshedAt,
      },
      tx,
    );
    if (!isNew) throw nameTaken(name);
    if (isMoved) await this.tools.disallowAll(userId, id, tx);
  }

  private seal(userId: number, id: number, headers: readonly McpHeader[]): string {
    if (headers.length === 0) return NO_HEADERS;
    const plain = headers.map(({ name, value }) => ({ name, value }));
    return this.secrets.seal(JSON.stringify(plain), place(userId, id));
  }
}

/** How the server is spoken to. */
export function endpointOf({ id, url, headers, timeoutSeconds, updatedAt }: McpServerDetails): McpEndpoint {
  return {
    key: `${id}@${updatedAt.toISOString()}`,
    url,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    timeoutMs: timeoutSeconds * 1_000,
  };
}

function place(userId: number, rowId: number): SecretPlace {
  return { userId, column: 'mcp_servers.headers', rowId };
}

function nameTaken(name: string): ValidationFailedError {
  return ValidationFailedError.of('name', 'mcp_servers.name_taken', { name });
}

/** @throws ValidationFailedError for a masked value without a stored one */
function whole(headers: readonly (McpHeader | null)[]): McpHeader[] {
  ValidationFailedError.throwIfAny(
    headers.flatMap((header, index) => {
      const field = `headers.${index}.value`;
      return header ? [] : [{ field, text: text('mcp_servers.masked_header', { field }) }];
    }),
  );
  return headers.flatMap((header) => (header ? [header] : []));
}
