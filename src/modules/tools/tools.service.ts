import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../common/crypto/secret-box.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { isBuiltinToolName } from '../../runtime/builtin-tool-names.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type {
  CreateToolRequest,
  HeaderRequest,
  ParameterRequest,
  UpdateToolRequest,
} from './dto/tool.request.js';
import type { Tool, ToolParameter } from './tool.entity.js';
import { ToolLimitError, ToolNotFoundError } from './tools.errors.js';
import { type ToolChanges, ToolsRepository } from './tools.repository.js';

const DEFAULT_TIMEOUT_SECONDS = 10;
/** Nothing to seal. */
const NO_HEADERS = '';

export interface ToolHeader {
  readonly name: string;
  readonly value: string;
}

/** A tool with its headers opened. */
export interface ToolDetails extends Omit<Tool, 'sealedHeaders'> {
  readonly headers: readonly ToolHeader[];
}

@Injectable()
export class ToolsService {
  constructor(
    private readonly tools: ToolsRepository,
    private readonly accounts: AccountsService,
    private readonly secrets: SecretBox,
    private readonly transactions: Transactions,
    private readonly effect: IdempotentEffectService,
  ) {}

  async list(userId: number): Promise<ToolDetails[]> {
    const tools = await this.tools.listOf(userId);
    return tools.map((tool) => this.open(tool));
  }

  /** @throws ToolNotFoundError */
  async get(userId: number, id: number, tx?: Tx): Promise<ToolDetails> {
    const tool = (await this.tools.find(userId, id, tx)) ?? ToolNotFoundError.throw();
    return this.open(tool);
  }

  /** Those of the ids that are the caller's tools. */
  async findMany(userId: number, ids: readonly number[]): Promise<ToolDetails[]> {
    if (ids.length === 0) return [];
    const tools = await this.tools.findMany(userId, ids);
    return tools.map((tool) => this.open(tool));
  }

  /** The same, by name alone. */
  async namesOf(userId: number, ids: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, string>> {
    return ids.length === 0 ? new Map() : this.tools.namesOf(userId, ids, tx);
  }

  /** @throws ToolLimitError when the plan's number of tools is reached */
  create(userId: number, request: CreateToolRequest): Promise<ToolDetails> {
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, tx),
        referenceOf: ({ id }) => String(id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
  }

  /**
   * Changes the fields that were sent; headers and schema are replaced whole.
   *
   * @throws ToolNotFoundError
   * @throws ValidationFailedError when an assistant with this tool would have two of the new name
   */
  async update(userId: number, id: number, request: UpdateToolRequest): Promise<ToolDetails> {
    const { name } = request;
    if (name === undefined) return this.change(userId, id, request);
    return this.transactions.run(async (tx) => {
      // Two tools of one assistant that are renamed at the same time could not see each other's new name.
      await this.accounts.lockLimits(userId, tx);
      const tool = (await this.tools.findLocked(userId, id, tx)) ?? ToolNotFoundError.throw();
      if (name !== tool.name) await this.refuseTakenName(id, name, tx);
      return this.change(userId, id, request, tx);
    });
  }

  /** Deletes the tool; assistants that had it go on without. @throws ToolNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.tools.delete(userId, id))) throw new ToolNotFoundError();
  }

  private async add(userId: number, request: CreateToolRequest, tx: Tx): Promise<ToolDetails> {
    const { maxTools } = await this.accounts.lockLimits(userId, tx);
    if ((await this.tools.countOf(userId, tx)) >= maxTools) throw new ToolLimitError(maxTools);
    const headers = request.headers ?? [];
    // Headers are sealed to the id, so that it must be known before.
    const id = headers.length > 0 ? await this.tools.nextId(tx) : null;
    const tool = await this.tools.add(
      {
        id,
        userId,
        name: request.name,
        description: request.description,
        endpoint: request.endpoint,
        method: request.method,
        bodyFormat: request.body_format ?? 'json',
        timeoutSeconds: request.timeout ?? DEFAULT_TIMEOUT_SECONDS,
        sealedHeaders: this.seal(userId, id ?? 0, headers),
        staticFields: request.static_fields ?? [],
        schema: (request.schema ?? []).map(toParameter),
      },
      tx,
    );
    return this.open(tool);
  }

  private async change(
    userId: number,
    id: number,
    request: UpdateToolRequest,
    tx?: Tx,
  ): Promise<ToolDetails> {
    const { name, description, endpoint, method, body_format: bodyFormat, headers, schema } = request;
    const changes: ToolChanges = {
      name,
      description,
      endpoint,
      method,
      bodyFormat,
      timeoutSeconds: request.timeout,
      sealedHeaders: headers && this.seal(userId, id, headers),
      staticFields: request.static_fields,
      schema: schema?.map(toParameter),
    };
    const isEmpty = Object.values(changes).every((value) => value === undefined);
    if (isEmpty) return this.get(userId, id, tx);
    const tool = (await this.tools.change(userId, id, changes, tx)) ?? ToolNotFoundError.throw();
    return this.open(tool);
  }

  private async refuseTakenName(id: number, name: string, tx: Tx): Promise<void> {
    const { isAttached, isNameTaken } = await this.tools.attachmentOf(id, name, tx);
    if (isNameTaken) throw ValidationFailedError.of('name', 'tools.name_taken', { name });
    if (isAttached && isBuiltinToolName(name)) {
      throw ValidationFailedError.of('name', 'tools.name_built_in', { name });
    }
  }

  private seal(userId: number, id: number, headers: readonly HeaderRequest[]): string {
    if (headers.length === 0) return NO_HEADERS;
    return this.secrets.seal(
      JSON.stringify(headers.map(({ name, value }) => ({ name, value }))),
      place(userId, id),
    );
  }

  private open({ sealedHeaders, ...tool }: Tool): ToolDetails {
    if (sealedHeaders === NO_HEADERS) return { ...tool, headers: [] };
    const headers = JSON.parse(this.secrets.open(sealedHeaders, place(tool.userId, tool.id))) as ToolHeader[];
    return { ...tool, headers };
  }
}

function place(userId: number, rowId: number): SecretPlace {
  return { userId, column: 'tools.headers', rowId };
}

function toParameter({ name, type, description, required }: ParameterRequest): ToolParameter {
  return { name, type, description, required: required ?? true };
}
