import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import type { Tx } from '../../database/transactions.js';
import type { CatalogModel } from '../catalog/catalog-schema.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { AssistantConfig, AssistantType } from './settings/assistant-config.js';
import { completeConfig } from './settings/assistant-fields.js';
import { type AssistantDetails, chatModelOf, detailsOf } from './assistant-details.js';
import { AssistantKeysService } from './assistant-keys.service.js';
import type { Assistant } from './assistant.entity.js';
import { AssistantNotFoundError } from './assistants.errors.js';
import { AssistantsRepository } from './assistants.repository.js';
import { InboundAssistantsRepository } from './numbers/inbound-assistants.repository.js';
import { type VersionedAssistant, VersionedAssistantsRepository } from './versioned-assistants.repository.js';

/** Lists without pages end here; the paged list has no end. */
const MAX_LISTED = 500;
/** Of settings, in one answer: it is built in memory, and one assistant may have a megabyte. */
const MAX_LISTED_BYTES = 16 * 1_048_576;

/** An assistant with what is needed to run it. */
export interface RuntimeAssistant extends AssistantDetails {
  /** Another one whenever the assistant, an attached tool or the knowledge base has changed. */
  readonly version: string;
  /** The model that answers in chat, in every mode. */
  readonly chatModel: CatalogModel;
}

@Injectable()
export class AssistantsService {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly versions: VersionedAssistantsRepository,
    private readonly inbound: InboundAssistantsRepository,
    private readonly keys: AssistantKeysService,
    private readonly catalog: CatalogService,
  ) {}

  /** The newest first, at most 500, and no more than an answer holds. */
  async list(userId: number, type?: AssistantType): Promise<AssistantDetails[]> {
    const range = { offset: 0, limit: MAX_LISTED, maxBytes: MAX_LISTED_BYTES };
    const { rows } = await this.assistants.listWithin(userId, type, range);
    return this.withTools(rows);
  }

  /** What assistants are called; those that are gone are left out. */
  namesOf(userId: number, ids: readonly number[]): Promise<Map<number, string>> {
    return this.assistants.namesOf(userId, ids);
  }

  /** @throws ValidationFailedError when the page is more than an answer holds: one that is cut short would hide assistants */
  async page(
    userId: number,
    type: AssistantType | undefined,
    { page, perPage }: PageRequest,
  ): Promise<PageOf<AssistantDetails>> {
    const range = { offset: (page - 1) * perPage, limit: perPage, maxBytes: MAX_LISTED_BYTES };
    const [{ rows, isWhole }, total] = await Promise.all([
      this.assistants.listWithin(userId, type, range),
      this.assistants.countOf(userId, type),
    ]);
    if (!isWhole) throw ValidationFailedError.of('per_page', 'assistants.page_too_large');
    return { rows: await this.withTools(rows), total };
  }

  async find(userId: number, id: number, tx?: Tx): Promise<AssistantDetails | null> {
    const found = await this.assistants.findEquipped(userId, id, tx);
    return found && this.detailsOf(found.assistant, found.toolIds);
  }

  /** The settings alone, without what is attached. */
  async findConfig(userId: number, id: number, tx?: Tx): Promise<AssistantConfig | null> {
    const assistant = await this.assistants.find(userId, id, tx);
    return assistant && completeConfig(assistant.config);
  }

  /** @throws AssistantNotFoundError */
  async get(userId: number, id: number): Promise<AssistantDetails> {
    return (await this.find(userId, id)) ?? AssistantNotFoundError.throw();
  }

  /** Everything needed to run the assistant, in one query. */
  async findRuntime(userId: number, id: number): Promise<RuntimeAssistant | null> {
    return this.runtimeOf(await this.versions.findVersioned(userId, id));
  }

  /** Changes whenever {@link findRuntime} would find something else; null when the assistant is gone. */
  findVersion(userId: number, id: number): Promise<string | null> {
    return this.versions.findVersion(userId, id);
  }

  /**
   * The same as {@link findRuntime} by uuid, for any caller: the uuid is the capability. Null for one that is closed.
   */
  async findByUuid(uuid: string): Promise<RuntimeAssistant | null> {
    return this.runtimeOf(await this.versions.findVersionedByUuid(uuid));
  }

  /** The same for visitors of a site: null also for one that its owner has taken off the site. */
  async findOnSite(uuid: string): Promise<RuntimeAssistant | null> {
    const found = await this.findByUuid(uuid);
    return found?.config.web_chat_enabled ? found : null;
  }

  /** The active inbound assistant of a number, of any account: an incoming call identifies no account. */
  async findAnswering(phoneNumberId: number): Promise<RuntimeAssistant | null> {
    const found = await this.inbound.findAnswering(phoneNumberId);
    return found && this.findRuntime(found.userId, found.id);
  }

  /** The inbound assistant of a number, active or not. */
  async findInbound(phoneNumberId: number): Promise<RuntimeAssistant | null> {
    const found = await this.inbound.findInbound(phoneNumberId);
    return found && this.findRuntime(found.userId, found.id);
  }

  /** Of all assistants of an account. */
  idsOf(userId: number): Promise<number[]> {
    return this.assistants.idsOf(userId);
  }

  private async withTools(assistants: readonly Assistant[]): Promise<AssistantDetails[]> {
    const toolIds = await this.assistants.toolIdsOf(assistants.map(({ id }) => id));
    return assistants.map((assistant) => this.detailsOf(assistant, toolIds.get(assistant.id) ?? []));
  }

  private detailsOf(assistant: Assistant, toolIds: readonly number[]): AssistantDetails {
    return detailsOf(assistant, toolIds, this.keys.open(assistant), this.catalog);
  }

  private runtimeOf(found: VersionedAssistant | null): RuntimeAssistant | null {
    if (!found) return null;
    const details = this.detailsOf(found.assistant, found.toolIds);
    return { ...details, version: found.version, chatModel: chatModelOf(details, this.catalog) };
  }
}
