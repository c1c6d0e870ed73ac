import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { KeyedQueue } from '../../common/concurrency/keyed-queue.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import { type WebhookSettings, WebhooksService } from '../webhooks/webhooks.service.js';
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
import { detailsOf } from './assistant-details.js';
import { AssistantKeysService } from './assistant-keys.service.js';
import { AssistantReferencesService } from './assistant-references.service.js';
import { withoutAutomatic } from './settings/automatic-values.js';
import { findRuleIssues } from './settings/assistant-rules.js';
import { Assistant } from './assistant.entity.js';
import { AssistantNotFoundError } from './assistants.errors.js';
import {
  AssistantsRepository,
  type EquippedAssistant,
  lostRaceOf,
  type NewAssistant,
} from './assistants.repository.js';
import type { SentTool } from './tools/built-in-tool.js';
import { putKeys, takeKeys, unmaskKeys } from './tools/calendar-keys.js';
import { TransferNumbersService } from './tools/transfer-numbers.service.js';
import { webhookSettingsOf } from './settings/webhook-settings.js';

/** Fields whose change touches more than the assistant's row, and so needs a transaction. */
const OUTWARD_FIELDS = [
  'tool_ids',
  'label_ids',
  'is_webhook_active',
  'webhook_url',
  'conversation_ended_webhook_url',
] as const satisfies readonly FieldName[];

/** A new assistant as it was written, with its id and without the other columns that the database fills in. */
export type CreatedAssistant = Omit<NewAssistant, 'id'> & Pick<Assistant, 'id'>;

/** Creates and changes assistants. */
@Injectable()
export class AssistantChangesService {
  /** Changes of this process. The version of the row shows changes of other processes. */
  private readonly changes = new KeyedQueue<number>();

  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly references: AssistantReferencesService,
    private readonly numbers: TransferNumbersService,
    private readonly keys: AssistantKeysService,
    private readonly catalog: CatalogService,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
    private readonly effect: IdempotentEffectService,
  ) {}

  /**
   * @param attach adds more to the new assistant, or nothing of it is made
   * @param inboundWebhookUrl no field of a request: it has a route of its own
   * @throws ValidationFailedError with every rule the request breaks
   */
  async create(
    userId: number,
    sent: SentNewFields,
    attach?: (id: number, tx: Tx) => Promise<void>,
    inboundWebhookUrl: string | null = null,
  ): Promise<CreatedAssistant> {
    const { request, issues: foreign } = await this.prepare(userId, null, sent);
    const { tools, issues: masked } = unmaskKeys(request.tools ?? [], []);
    const fields = newFields({ ...request, tools });
    const make = async (tx?: Tx): Promise<CreatedAssistant> => {
      if (tx) await this.keepLabels(userId, request, tx);
      await this.check(userId, null, fields, FIELD_NAMES, [...foreign, ...masked], tx);
      // Keys are sealed to the id, so that it must be known before.
      const ownId = fields.tools.some(isCalendar) ? await this.assistants.nextId(tx) : null;
      const stored = {
        ...this.stored(userId, ownId ?? 0, fields, inboundWebhookUrl),
        uuid: randomUUID(),
        userId,
      };
      const id = await this.assistants.add({ ...stored, id: ownId }, tx);
      // There are no deliveries of a new assistant that could be given up.
      const urls = { ...request, inbound_webhook_url: inboundWebhookUrl };
      const settings = { ...webhookSettingsOf(stored.config, urls), off: [] };
      if (tx) await this.attachAll({ userId, id }, fields.tool_ids, settings, tx);
      if (tx) await attach?.(id, tx);
      return { ...stored, id };
    };
    if (!this.effect.isKeyed && !attach && !bringsOthers(request)) return this.write(make);
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
  async update(userId: number, id: number, sent: SentFields): Promise<Assistant> {
    const { request, issues: foreign } = await this.prepare(userId, id, sent);
    return this.write(async () => {
      const changed = touchesOthers(request)
        ? null
        : await this.changes.run(id, () => this.changeAlone(userId, id, request, foreign));
      return changed ?? this.transactions.run((tx) => this.changeLocked(userId, id, request, foreign, tx));
    });
  }

  /** The checks before the transaction: reads the numbers in a request, and checks what it refers to. */
  private async prepare<Request extends SentFields>(
    userId: number,
    id: number | null,
    request: Request,
  ): Promise<{ request: Request; issues: FieldIssue[] }> {
    const foreign = await this.references.findIssues(userId, id, request);
    if (!request.tools) return { request, issues: foreign };
    const tools = await this.numbers.diallable(userId, request.tools);
    return { request: { ...request, tools }, issues: foreign };
  }

  private async getStored(userId: number, id: number, tx: Tx): Promise<Assistant> {
    return (await this.assistants.find(userId, id, tx)) ?? AssistantNotFoundError.throw();
  }

  /**
   * A change that touches nothing but the assistant's row: a read, and a write that holds only for the row that was read.
   * Null when another request has changed it in between.
   */
  private async changeAlone(
    userId: number,
    id: number,
    request: SentFields,
    foreign: readonly FieldIssue[],
  ): Promise<Assistant | null> {
    const found = (await this.assistants.findEquipped(userId, id)) ?? AssistantNotFoundError.throw();
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
    await this.keepLabels(userId, request, tx);
    const assistant = (await this.assistants.findLocked(userId, id, tx)) ?? AssistantNotFoundError.throw();
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
    const keys = this.keys.open(assistant);
    const current = fieldsOf(assistant, toolIds, putKeys(config.tools, keys));
    const show = () => detailsOf(assistant, toolIds, keys, this.catalog).config;
    const chosen = withoutAutomatic(request, current, show);
    const { tools, issues: masked } = unmaskKeys(chosen.tools ?? [], current.tools);
    const fields = changedFields(current, chosen.tools ? { ...chosen, tools } : chosen);
    await this.check(userId, id, fields, namesOf(chosen), [...foreign, ...masked], tx);
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

  /** Before the assistant is locked, in the order in which a label is deleted. */
  private async keepLabels(userId: number, { label_ids: ids }: SentFields, tx: Tx): Promise<void> {
    ValidationFailedError.throwIfAny(await this.references.findLabelIssues(userId, ids ?? [], tx));
  }

  /** @param toolIds null to leave the tools as they are */
  private async attachAll(
    { userId, id }: Pick<Assistant, 'userId' | 'id'>,
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
}

/** Whether a new assistant comes with more than its row. */
function bringsOthers(request: SentFields): boolean {
  const {
    tool_ids: toolIds,
    label_ids: labelIds,
    webhook_url: url,
    conversation_ended_webhook_url: endedUrl,
  } = request;
  return Boolean(toolIds?.length || labelIds?.length || url || endedUrl);
}

function touchesOthers(request: SentFields): boolean {
  return OUTWARD_FIELDS.some((name) => request[name] !== undefined);
}

function isCalendar({ type }: SentTool): boolean {
  return type === 'calendar_integration';
}
