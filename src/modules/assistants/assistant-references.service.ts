import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import type { Tx } from '../../database/transactions.js';
import { isForbiddenSipUri } from '../../providers/telephony/sip-target.js';
import { isBuiltinToolName } from '../../runtime/builtin-tool-names.js';
import { SecurityConfig } from '../../config/config.js';
import { text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams } from '../../i18n/text.js';
import { FoldersService } from '../folders/folders.service.js';
import { KnowledgebasesService } from '../knowledgebases/knowledgebases.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { ToolsService } from '../tools/tools.service.js';
import type { AssistantFields, FieldName, SentFields } from './settings/assistant-fields.js';
import { AssistantsRepository } from './assistants.repository.js';
import { InboundAssistantsRepository } from './numbers/inbound-assistants.repository.js';
import { LabelsService } from './labels/labels.service.js';
import { handoffsIn, type SentTool } from './tools/built-in-tool.js';

/** Checks that what an assistant refers to is the caller's. Another account's resource is as good as missing. */
@Injectable()
export class AssistantReferencesService {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly inbound: InboundAssistantsRepository,
    private readonly folders: FoldersService,
    private readonly labels: LabelsService,
    private readonly knowledgebases: KnowledgebasesService,
    private readonly numbers: PhoneNumbersService,
    private readonly tools: ToolsService,
    private readonly security: SecurityConfig,
  ) {}

  /**
   * The issues of the request alone. Checked before the transaction, so that none waits for a second connection.
   *
   * @param assistantId null for a new assistant
   */
  async findIssues(userId: number, assistantId: number | null, request: SentFields): Promise<FieldIssue[]> {
    const issues = await Promise.all([
      this.checkKnowledgebase(userId, request),
      this.checkFolder(userId, request),
      this.findLabelIssues(userId, request.label_ids ?? []),
      this.findToolIssues(userId, request.tool_ids ?? []),
      this.checkTransferNumbers(userId, assistantId, request),
      this.checkHandoffs(userId, assistantId, request),
    ]);
    return [...issues.flat(), ...this.checkSipTargets(request)];
  }

  /** The rules of the phone number, which depend on the assistant's type too. */
  async findNumberIssues(
    userId: number,
    assistantId: number | null,
    { phone_number_id: numberId, type }: AssistantFields,
    sent: ReadonlySet<FieldName>,
    tx?: Tx,
  ): Promise<FieldIssue[]> {
    if (numberId === null || !(sent.has('phone_number_id') || sent.has('type'))) return [];
    const number = await this.numbers.find(userId, numberId, tx);
    if (!number) return [issue('phone_number_id', 'validation.exists')];
    if (type === 'outbound') return [];
    if (number.type === 'caller_id') return [issue('phone_number_id', 'assistants.number_caller_id_inbound')];
    const isTaken = await this.inbound.hasInboundOn(numberId, assistantId, tx);
    return isTaken ? [issue('phone_number_id', 'assistants.number_taken')] : [];
  }

  private async checkKnowledgebase(
    userId: number,
    { knowledgebase_id: id }: SentFields,
  ): Promise<FieldIssue[]> {
    if (!id || (await this.knowledgebases.find(userId, id))) return [];
    return [issue('knowledgebase_id', 'validation.exists')];
  }

  private async checkFolder(userId: number, { folder_id: id }: SentFields): Promise<FieldIssue[]> {
    if (!id || (await this.folders.find(userId, id))) return [];
    return [issue('folder_id', 'validation.exists')];
  }

  /** Asked again within the transaction that writes them, which none of them is deleted before. */
  async findLabelIssues(userId: number, ids: readonly number[], tx?: Tx): Promise<FieldIssue[]> {
    return (await this.labels.haveAll(userId, ids, tx)) ? [] : [issue('label_ids', 'validation.exists')];
  }

  /**
   * A model tells tools apart by their names alone, so no two tools of an assistant share one. Asked again within the
   * transaction that attaches them, whose lock keeps their names as they are.
   */
  async findToolIssues(userId: number, ids: readonly number[], tx?: Tx): Promise<FieldIssue[]> {
    const names = await this.tools.namesOf(userId, ids, tx);
    if (names.size !== ids.length) return [issue('tool_ids', 'validation.exists')];
    const taken = [...names.values()];
    const repeated = taken.find((name, index) => taken.indexOf(name) !== index);
    if (repeated !== undefined)
      return [issue('tool_ids', 'assistants.duplicate_tool_name', { name: repeated })];
    const builtIn = taken.find((name) => isBuiltinToolName(name));
    return builtIn === undefined
      ? []
      : [issue('tool_ids', 'assistants.built_in_tool_name', { name: builtIn })];
  }

  /** Literal addresses alone: what a name leads to is looked up when it is dialled. */
  private checkSipTargets({ tools }: SentFields): FieldIssue[] {
    const targets = (tools ?? []).flatMap((tool, index): { field: string; uri: string }[] => {
      if (tool.type === 'call_transfer' && tool.phone_number) {
        return [{ field: `tools.${index}.phone_number`, uri: tool.phone_number }];
      }
      if (tool.type === 'warm_call_transfer' && tool.supervisor_phone) {
        return [{ field: `tools.${index}.supervisor_phone`, uri: tool.supervisor_phone }];
      }
      return [];
    });
    return targets
      .filter(({ uri }) => isForbiddenSipUri(uri, this.security.egressAllowCidrs))
      .map(({ field }) => issue(field, 'assistants.private_sip_target'));
  }

  /** A number that the account has given up since stays in the tool, as it is required: the tool can be sent back. */
  private async checkTransferNumbers(
    userId: number,
    assistantId: number | null,
    { tools }: SentFields,
  ): Promise<FieldIssue[]> {
    const uses = outboundNumbersIn(tools ?? []);
    if (uses.length === 0) return [];
    const owned = new Set((await this.numbers.listOwned(userId)).map(({ id }) => id));
    const missing = uses.filter(({ id }) => !owned.has(id));
    if (missing.length === 0) return [];
    const stored = assistantId === null ? [] : await this.assistants.builtInToolsOf(userId, assistantId);
    const kept = new Set(outboundNumbersIn(stored).map(({ id }) => id));
    return missing.filter(({ id }) => !kept.has(id)).map(({ field }) => issue(field, 'validation.exists'));
  }

  private async checkHandoffs(
    userId: number,
    assistantId: number | null,
    { tools }: SentFields,
  ): Promise<FieldIssue[]> {
    const destinations = (tools ?? []).flatMap((tool, index) =>
      handoffsIn(tool).map(({ assistantId: id, field }) => ({ id, field: `tools.${index}.${field}` })),
    );
    if (destinations.length === 0) return [];
    const ids = destinations.map(({ id }) => id);
    const known = await this.assistants.namesOf(userId, [...new Set(ids)]);
    return destinations.flatMap(({ id, field }, index) => {
      if (id === assistantId) return [issue(field, 'assistants.handoff_to_itself')];
      if (!known.has(id)) return [issue(field, 'validation.exists')];
      return ids.indexOf(id) < index ? [issue(field, 'assistants.repeated_handoff')] : [];
    });
  }
}

/** The numbers that supervisors are called from. */
function outboundNumbersIn(tools: readonly SentTool[]): { id: number; field: string }[] {
  return tools.flatMap((tool, index) =>
    tool.type === 'warm_call_transfer' && tool.outbound_phone_id
      ? [{ id: tool.outbound_phone_id, field: `tools.${index}.outbound_phone_id` }]
      : [],
  );
}

function issue(field: string, key: TextKey, params: TextParams = {}): FieldIssue {
  return { field, text: text(key, { field, ...params }) };
}
