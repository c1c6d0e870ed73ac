import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { CatalogModel } from '../catalog/catalog-schema.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import type { AssistantConfig, AssistantType } from './assistant-config.js';
import { type AssistantDetails, chatModelOf, detailsOf } from './assistant-details.js';
import {
  type AssistantFields,
  changedFields,
  columnsOf,
  FIELD_NAMES,
  fieldsOf,
  type FieldName,
  namesOf,
  newFields,
  type SentFields,
  type SentNewFields,
} from './assistant-fields.js';
import { AssistantKeys } from './assistant-keys.js';
import { AssistantReferences } from './assistant-references.js';
import { findRuleIssues } from './assistant-rules.js';
import type { Assistant } from './assistant.entity.js';
import { AssistantNotFoundError } from './assistants.errors.js';
import { AssistantsRepository, lostRaceOf, type VersionedAssistant } from './assistants.repository.js';
import { putKeys, takeKeys, unmaskKeys } from './calendar-keys.js';
import { webhookSettingsOf } from './webhook-settings.js';

/** Lists without pages end here; the paged list has no end. */
const MAX_LISTED = 500;

/** An assistant with what is needed to run it. */
export interface RuntimeAssistant extends AssistantDetails {
  /** Another one whenever the assistant, an attached tool or the knowledge base has changed. */
  readonly version: string;
  /** What answers in chat, whatever the mode. */
  readonly chatModel: CatalogModel;
}

@Injectable()
export class AssistantsService {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly references: AssistantReferences,
    private readonly keys: AssistantKeys,
    private readonly catalog: CatalogService,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
  ) {}

  /** The newest first, at most 500. */
  async list(userId: number, type?: AssistantType): Promise<AssistantDetails[]> {
    return this.withTools(await this.assistants.listOf(userId, type, MAX_LISTED));
  }

  async page(
    userId: number,
    type: AssistantType | undefined,
    page: PageRequest,
  ): Promise<PageOf<AssistantDetails>> {
    const { rows, total } = await this.assistants.pageOf(userId, type, page);
    return { rows: await this.withTools(rows), total };
  }

  async find(userId: number, id: number, tx?: Tx): Promise<AssistantDetails | null> {
    const assistant = await this.assistants.find(userId, id, tx);
    if (!assistant) return null;
    const [details] = await this.withTools([assistant], tx);
    return details ?? null;
  }

  /** The settings alone, without what is attached. */
  async findConfig(userId: number, id: number, tx?: Tx): Promise<AssistantConfig | null> {
    const assistant = await this.assistants.find(userId, id, tx);
    return assistant?.config ?? null;
  }

  /** @throws AssistantNotFoundError */
  async get(userId: number, id: number): Promise<AssistantDetails> {
    const assistant = await this.find(userId, id);
    if (!assistant) throw new AssistantNotFoundError();
    return assistant;
  }

  /** Everything needed to run the assistant, in one query. */
  async findRuntime(userId: number, id: number): Promise<RuntimeAssistant | null> {
    return this.runtimeOf(await this.assistants.findVersioned(userId, id));
  }

  /** The same by uuid, whoever asks: the uuid is the capability. */
  async findByUuid(uuid: string): Promise<RuntimeAssistant | null> {
    return this.runtimeOf(await this.assistants.findVersionedByUuid(uuid));
  }

  /** The active inbound assistant of a number, whoever owns it: a call that comes in names nothing else. */
  async findAnswering(phoneNumberId: number): Promise<RuntimeAssistant | null> {
    const found = await this.assistants.findAnswering(phoneNumberId);
    return found && this.findRuntime(found.userId, found.id);
  }

  /** @throws ValidationFailedError with every rule the request breaks */
  async create(userId: number, request: SentNewFields): Promise<Assistant> {
    const foreign = await this.references.findIssues(userId, request);
    const { tools, issues: masked } = unmaskKeys(request.tools ?? [], []);
    const fields = newFields({ ...request, tools });
    return this.write(async (tx) => {
      await this.check(userId, null, fields, FIELD_NAMES, [...foreign, ...masked], tx);
      const id = await this.assistants.nextId(tx);
      const stored = { ...this.stored(userId, id, fields, null), id, uuid: randomUUID(), userId };
      const assistant = await this.assistants.add(stored, tx);
      await this.attach(userId, id, fields.tool_ids, tx);
      await this.webhooks.settingsChanged(userId, id, webhookSettingsOf(assistant.config, request), tx);
      return assistant;
    });
  }

  /**
   * Changes the fields that were sent.
   *
   * @throws AssistantNotFoundError
   * @throws ValidationFailedError with every rule the result would break
   */
  async update(userId: number, id: number, request: SentFields): Promise<Assistant> {
    const foreign = await this.references.findIssues(userId, request);
    return this.write(async (tx) => {
      const assistant = await this.assistants.findLocked(userId, id, tx);
      if (!assistant) throw new AssistantNotFoundError();
      const current = await this.fieldsOf(assistant, tx);
      const { tools, issues: masked } = unmaskKeys(request.tools ?? [], current.tools);
      const fields = changedFields(current, request.tools ? { ...request, tools } : request);
      await this.check(userId, id, fields, namesOf(request), [...foreign, ...masked], tx);
      const inboundWebhookUrl = assistant.config.inbound_webhook_url;
      Object.assign(assistant, this.stored(userId, id, fields, inboundWebhookUrl));
      assistant.revision += 1;
      if (request.tool_ids !== undefined) await this.attach(userId, id, fields.tool_ids, tx);
      await this.webhooks.settingsChanged(userId, id, webhookSettingsOf(assistant.config, request), tx);
      return this.assistants.save(assistant, tx);
    });
  }

  /** @throws AssistantNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.assistants.delete(userId, id))) throw new AssistantNotFoundError();
  }

  private async check(
    userId: number,
    id: number | null,
    fields: AssistantFields,
    sent: ReadonlySet<FieldName>,
    found: readonly FieldIssue[],
    tx: Tx,
  ): Promise<void> {
    ValidationFailedError.throwIfAny([
      ...findRuleIssues(fields, sent, this.catalog),
      ...(await this.references.findNumberIssues(userId, id, fields, sent, tx)),
      ...found,
    ]);
  }

  private stored(userId: number, id: number, fields: AssistantFields, inboundWebhookUrl: string | null) {
    const { columns, rest } = columnsOf(fields);
    const { tools, keys } = takeKeys(fields.tools);
    return {
      ...columns,
      config: { ...rest, tools, inbound_webhook_url: inboundWebhookUrl },
      sealedCalendarKeys: this.keys.seal(userId, id, keys),
    };
  }

  private async fieldsOf(assistant: Assistant, tx: Tx): Promise<AssistantFields> {
    const toolIds = await this.assistants.toolIdsOf([assistant.id], tx);
    const tools = putKeys(assistant.config.tools, this.keys.open(assistant));
    return fieldsOf(assistant, toolIds.get(assistant.id) ?? [], tools);
  }

  private async attach(userId: number, id: number, toolIds: readonly number[], tx: Tx): Promise<void> {
    const isWhole = await this.assistants.setTools(userId, id, toolIds, tx);
    if (!isWhole) throw ValidationFailedError.of('tool_ids', 'validation.exists');
    ValidationFailedError.throwIfAny(await this.references.findToolIssues(userId, toolIds, tx));
  }

  /** Runs a write; a rule that only the database could still uphold is answered as when it is found broken before. */
  private async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      const lost = lostRaceOf(error);
      if (!lost) throw error;
      throw ValidationFailedError.of(
        lost.field,
        lost.cause === 'taken' ? 'assistants.number_taken' : 'validation.exists',
      );
    }
  }

  private async withTools(assistants: readonly Assistant[], tx?: Tx): Promise<AssistantDetails[]> {
    const toolIds = await this.assistants.toolIdsOf(
      assistants.map(({ id }) => id),
      tx,
    );
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
