import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { KeyedQueue } from '../../common/limits/keyed-queue.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { CatalogModel } from '../catalog/catalog-schema.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import { type WebhookSettings, WebhooksService } from '../webhooks/webhooks.service.js';
import type { AssistantConfig, AssistantType } from './settings/assistant-config.js';
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
} from './settings/assistant-fields.js';
import { AssistantKeysService } from './assistant-keys.service.js';
import { AssistantReferencesService } from './assistant-references.service.js';
import { findRuleIssues } from './settings/assistant-rules.js';
import { Assistant } from './assistant.entity.js';
import { AssistantNotFoundError } from './assistants.errors.js';
import {
  AssistantsRepository,
  type EquippedAssistant,
  lostRaceOf,
  type VersionedAssistant,
} from './assistants.repository.js';
import type { SentTool } from './tools/built-in-tool.js';
import { putKeys, takeKeys, unmaskKeys } from './tools/calendar-keys.js';
import { HandoffDestinationsRepository } from './tools/handoff-destinations.repository.js';
import { webhookSettingsOf } from './settings/webhook-settings.js';

/** Lists without pages end here; the paged list has no end. */
const MAX_LISTED = 500;

/** An assistant with what is needed to run it. */
export interface RuntimeAssistant extends AssistantDetails {
  /** Another one whenever the assistant, an attached tool or the knowledge base has changed. */
  readonly version: string;
  /** What answers in chat, whatever the mode. */
  readonly chatModel: CatalogModel;
}

/** Fields whose change touches more than the assistant's row, and so needs a transaction. */
const OUTWARD_FIELDS = [
  'tool_ids',
  'is_webhook_active',
  'webhook_url',
  'conversation_ended_webhook_url',
] as const satisfies readonly FieldName[];

@Injectable()
export class AssistantsService {
  /** Of this process; another one's are told from the row. */
  private readonly changes = new KeyedQueue<number>();

  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly destinations: HandoffDestinationsRepository,
    private readonly references: AssistantReferencesService,
    private readonly keys: AssistantKeysService,
    private readonly catalog: CatalogService,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
    private readonly effect: IdempotentEffectService,
  ) {}

  /** The newest first, at most 500. */
  async list(userId: number, type?: AssistantType): Promise<AssistantDetails[]> {
    return this.withTools(await this.assistants.listOf(userId, type, MAX_LISTED));
  }

  /** What assistants are called; those that are gone are left out. */
  namesOf(userId: number, ids: readonly number[]): Promise<Map<number, string>> {
    return this.assistants.namesOf(userId, ids);
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
    const found = await this.assistants.findEquipped(userId, id, tx);
    return found && this.detailsOf(found.assistant, found.toolIds);
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

  /** Changes whenever {@link findRuntime} would find something else; null when the assistant is gone. */
  findVersion(userId: number, id: number): Promise<string | null> {
    return this.assistants.findVersion(userId, id);
  }

  /** What {@link findRuntime} finds, by uuid, whoever asks: the uuid is the capability. Null for one that is closed. */
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
    const foreign = await this.references.findIssues(userId, null, request);
    const { tools, issues: masked } = unmaskKeys(request.tools ?? [], []);
    const fields = newFields({ ...request, tools });
    const make = async (tx?: Tx) => {
      await this.check(userId, null, fields, FIELD_NAMES, [...foreign, ...masked], tx);
      // Keys are sealed to the id, so that it must be known before.
      const id = fields.tools.some(isCalendar) ? await this.assistants.nextId(tx) : null;
      const stored = { ...this.stored(userId, id ?? 0, fields, null), id, uuid: randomUUID(), userId };
      const assistant = await this.assistants.add(stored, tx);
      // There are no deliveries of a new assistant that could be given up.
      const settings = { ...webhookSettingsOf(assistant.config, request), off: [] };
      if (tx) await this.attachAll(assistant, fields.tool_ids, settings, tx);
      return assistant;
    };
    if (!this.effect.isKeyed && !bringsOthers(request)) return this.write(make);
    return this.write(() =>
      this.transactions.run((tx) =>
        this.effect.once(tx, {
          make: () => make(tx),
          referenceOf: ({ id }) => String(id),
          recall: (id) => this.getStored(userId, Number(id), tx),
        }),
      ),
    );
  }

  /**
   * Changes the fields that were sent.
   *
   * @throws AssistantNotFoundError
   * @throws ValidationFailedError with every rule the result would break
   */
  async update(userId: number, id: number, request: SentFields): Promise<Assistant> {
    const foreign = await this.references.findIssues(userId, id, request);
    return this.write(async () => {
      const changed = touchesOthers(request)
        ? null
        : await this.changes.run(id, () => this.changeAlone(userId, id, request, foreign));
      return changed ?? this.transactions.run((tx) => this.changeLocked(userId, id, request, foreign, tx));
    });
  }

  /** Nobody hands over to it any more. @throws AssistantNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    const isDeleted = await this.transactions.run(async (tx) => {
      await this.destinations.forget(userId, id, tx);
      return this.assistants.delete(userId, id, tx);
    });
    if (!isDeleted) throw new AssistantNotFoundError();
  }

  /** Of all assistants of an account. */
  idsOf(userId: number): Promise<number[]> {
    return this.assistants.idsOf(userId);
  }

  private async getStored(userId: number, id: number, tx: Tx): Promise<Assistant> {
    const assistant = await this.assistants.find(userId, id, tx);
    if (!assistant) throw new AssistantNotFoundError();
    return assistant;
  }

  /**
   * A change that touches nothing but the assistant's row: a read, and a write that holds only for the row that was read.
   * Null when somebody else has changed it meanwhile.
   */
  private async changeAlone(
    userId: number,
    id: number,
    request: SentFields,
    foreign: readonly FieldIssue[],
  ): Promise<Assistant | null> {
    const found = await this.assistants.findEquipped(userId, id);
    if (!found) throw new AssistantNotFoundError();
    const { changed } = await this.changedBy(request, found, foreign);
    return (await this.assistants.change(changed, found.rowVersion)) ? changed : null;
  }

  private async changeLocked(
    userId: number,
    id: number,
    request: SentFields,
    foreign: readonly FieldIssue[],
    tx: Tx,
  ): Promise<Assistant> {
    const assistant = await this.assistants.findLocked(userId, id, tx);
    if (!assistant) throw new AssistantNotFoundError();
    const toolIds = (await this.assistants.toolIdsOf([id], tx)).get(id) ?? [];
    const { changed, fields } = await this.changedBy(request, { assistant, toolIds }, foreign, tx);
    await this.assistants.change(changed, null, tx);
    const settings = webhookSettingsOf(changed.config, request);
    await this.attachAll(changed, request.tool_ids === undefined ? null : fields.tool_ids, settings, tx);
    return changed;
  }

  /** @throws ValidationFailedError */
  private async changedBy(
    request: SentFields,
    { assistant, toolIds }: Pick<EquippedAssistant, 'assistant' | 'toolIds'>,
    foreign: readonly FieldIssue[],
    tx?: Tx,
  ): Promise<{ changed: Assistant; fields: AssistantFields }> {
    const { userId, id, config } = assistant;
    const current = fieldsOf(assistant, toolIds, putKeys(config.tools, this.keys.open(assistant)));
    const { tools, issues: masked } = unmaskKeys(request.tools ?? [], current.tools);
    const fields = changedFields(current, request.tools ? { ...request, tools } : request);
    await this.check(userId, id, fields, namesOf(request), [...foreign, ...masked], tx);
    return {
      changed: Object.assign(
        new Assistant(),
        assistant,
        this.stored(userId, id, fields, config.inbound_webhook_url),
      ),
      fields,
    };
  }

  private async check(
    userId: number,
    id: number | null,
    fields: AssistantFields,
    sent: ReadonlySet<FieldName>,
    found: readonly FieldIssue[],
    tx?: Tx,
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

  /** @param toolIds null to leave the tools as they are */
  private async attachAll(
    { userId, id }: Assistant,
    toolIds: readonly number[] | null,
    settings: WebhookSettings,
    tx: Tx,
  ): Promise<void> {
    if (toolIds) {
      const isWhole = await this.assistants.setTools(userId, id, toolIds, tx);
      if (!isWhole) throw ValidationFailedError.of('tool_ids', 'validation.exists');
      ValidationFailedError.throwIfAny(await this.references.findToolIssues(userId, toolIds, tx));
    }
    await this.webhooks.settingsChanged(userId, id, settings, tx);
  }

  /** Runs a write; a rule that only the database could still uphold is answered as when it is found broken before. */
  private async write<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const lost = lostRaceOf(error);
      if (!lost) throw error;
      throw ValidationFailedError.of(
        lost.field,
        lost.cause === 'taken' ? 'assistants.number_taken' : 'validation.exists',
      );
    }
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

/** Whether a new assistant comes with more than its row. */
function bringsOthers(request: SentFields): boolean {
  const { tool_ids: toolIds, webhook_url: webhookUrl, conversation_ended_webhook_url: endedUrl } = request;
  return Boolean(toolIds?.length || webhookUrl || endedUrl);
}

function touchesOthers(request: SentFields): boolean {
  return OUTWARD_FIELDS.some((name) => request[name] !== undefined);
}

function isCalendar({ type }: SentTool): boolean {
  return type === 'calendar_integration';
}
