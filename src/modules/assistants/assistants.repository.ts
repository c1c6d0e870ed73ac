import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database, isForeignKeyViolation, isUniqueViolation } from '../../database/database.js';
import { deleteOne, findLocked, nextId } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import type { AssistantType } from './settings/assistant-config.js';
import { Assistant } from './assistant.entity.js';
import type { StoredTool } from './tools/built-in-tool.js';

/** Without an id it gets the next one. */
export type NewAssistant = Omit<Assistant, 'id' | 'revision' | 'closedAt' | 'createdAt' | 'updatedAt'> & {
  readonly id: number | null;
};

/** Which part of a list is read. */
export interface ListRange {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

export interface ListedAssistants {
  readonly rows: readonly Assistant[];
  /** False where some of the range are left out. */
  readonly isWhole: boolean;
}

/** An assistant with its tools, in their order. */
export interface EquippedAssistant {
  readonly assistant: Assistant;
  readonly toolIds: readonly number[];
  /** Of the row; another one after each change, from any source. */
  readonly rowVersion: string;
}

/** A write that lost a race: what it refers to was deleted, or given to another, since it was checked. */
export interface LostRace {
  readonly field: 'phone_number_id' | 'knowledgebase_id' | 'folder_id';
  readonly cause: 'taken' | 'gone';
}

/** The places of {@link valuesOf} in a statement that begins with the assistant's id and account. */
const PLACES = '$3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17';
/** An assistant that visitors and callers no longer reach. */
const CLOSED = `status = 'inactive', phone_number_id = NULL, closed_at = now(), revision = revision + 1, updated_at = now()`;
@Injectable()
export class AssistantsRepository {
  constructor(private readonly database: Database) {}

  async namesOf(userId: number, ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.database.query<{ id: number; name: string }>(
      'SELECT id, name FROM assistants WHERE user_id = $1 AND id = ANY($2::int[])',
      [userId, ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  async find(userId: number, id: number, tx?: Tx): Promise<Assistant | null> {
    const [assistant] = await this.database.readPrepared<Assistant>(
      `SELECT ${this.database.columnsOf(Assistant, 'assistants')} FROM assistants WHERE user_id = $1 AND id = $2`,
      [userId, id],
      tx,
    );
    return assistant ?? null;
  }

  /** The built-in tools as they are stored, without keys; none of an assistant that is not there. */
  async builtInToolsOf(userId: number, id: number): Promise<readonly StoredTool[]> {
    return (await this.find(userId, id))?.config.tools ?? [];
  }

  async findEquipped(userId: number, id: number, tx?: Tx): Promise<EquippedAssistant | null> {
    const [row] = await this.database.readPrepared<Assistant & { tool_ids: number[]; row_version: string }>(
      `SELECT ${this.database.columnsOf(Assistant, 'assistants')}, xmin::text AS row_version,
         ARRAY(SELECT tool_id FROM assistant_tools WHERE assistant_id = assistants.id ORDER BY position) AS tool_ids
       FROM assistants WHERE user_id = $1 AND id = $2`,
      [userId, id],
      tx,
    );
    if (!row) return null;
    const { tool_ids: toolIds, row_version: rowVersion, ...assistant } = row;
    return { assistant, toolIds, rowVersion };
  }

  findLocked(userId: number, id: number, tx: Tx): Promise<Assistant | null> {
    return findLocked(this.database.manager(tx), Assistant, { userId, id });
  }

  countOf(userId: number, type: AssistantType | undefined): Promise<number> {
    return this.database.manager().countBy(Assistant, { userId, ...(type ? { type } : {}) });
  }

  /**
   * The newest first, as many as have no more than so many bytes of settings together; one at least. What the answer takes is
   * counted, and not what the rows take on the disk: compressed, a megabyte may have some kilobytes there.
   */
  async listWithin(
    userId: number,
    type: AssistantType | undefined,
    { offset, limit, maxBytes }: ListRange,
  ): Promise<ListedAssistants> {
    const listed = await this.database.query<{ id: number; found: number }>(
      `WITH RECURSIVE found AS MATERIALIZED (
         SELECT ARRAY(SELECT id FROM assistants WHERE user_id = $1 AND ($2::text IS NULL OR type = $2)
                      ORDER BY id DESC OFFSET $3 LIMIT $4) AS ids),
       counted AS (
         SELECT 0 AS place, 0::bigint AS bytes
         UNION ALL
         SELECT place + 1, bytes + octet_length(config::text)
         FROM counted CROSS JOIN found JOIN assistants ON assistants.id = found.ids[place + 1]
         WHERE bytes <= $5)
       SELECT found.ids[place] AS id, cardinality(found.ids) AS found FROM counted CROSS JOIN found
       WHERE place = 1 OR place > 1 AND bytes <= $5`,
      [userId, type ?? null, offset, limit, maxBytes],
    );
    const ids = In(listed.map(({ id }) => id));
    const rows = await this.database
      .manager()
      .find(Assistant, { where: { userId, id: ids }, order: { id: 'DESC' } });
    return { rows, isWhole: listed.length === (listed[0]?.found ?? 0) };
  }

  /** Ids of the attached tools by assistant, in their order. Assistants without tools are left out. */
  async toolIdsOf(assistantIds: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, readonly number[]>> {
    if (assistantIds.length === 0) return new Map();
    const rows = await this.database.query<{ assistant_id: number; tool_ids: number[] }>(
      `SELECT assistant_id, array_agg(tool_id ORDER BY position) AS tool_ids
       FROM assistant_tools WHERE assistant_id = ANY ($1) GROUP BY assistant_id`,
      [assistantIds],
      tx,
    );
    return new Map(rows.map((row) => [row.assistant_id, row.tool_ids]));
  }

  /** Takes the next id before the row is written, because secrets are sealed to it. */
  nextId(tx?: Tx): Promise<number> {
    return nextId(this.database, 'assistants', tx);
  }

  /** Returns its id. */
  async add(assistant: NewAssistant, tx?: Tx): Promise<number> {
    const [added] = await this.database.writePrepared<{ id: number }>(
      `INSERT INTO assistants (id, user_id, uuid, name, type, mode, status, activates_by_use, language_id, voice_id,
         llm_model_id, multimodal_model_id, knowledgebase_id, phone_number_id, folder_id, label_ids, config, sealed_calendar_keys)
       VALUES (coalesce($1, nextval(pg_get_serial_sequence('assistants', 'id'))::integer), $2, $18, ${PLACES})
       RETURNING id`,
      [assistant.id, assistant.userId, ...valuesOf(assistant), assistant.uuid],
      tx,
    );
    if (!added) throw new Error('an assistant was written and did not come back');
    return added.id;
  }

  /**
   * Writes an assistant that was read and changed, as its next revision; false when it is gone or has changed since.
   *
   * @param rowVersion as it was read; null when the row has been locked since
   */
  async change(assistant: Assistant, rowVersion: string | null, tx?: Tx): Promise<boolean> {
    const rows = await this.database.writePrepared(
      `UPDATE assistants SET (name, type, mode, status, activates_by_use, language_id, voice_id, llm_model_id,
         multimodal_model_id, knowledgebase_id, phone_number_id, folder_id, label_ids, config, sealed_calendar_keys, revision, updated_at)
         = (${PLACES}, revision + 1, now())
       WHERE id = $1 AND user_id = $2 AND ($18::text IS NULL OR xmin::text = $18) RETURNING id`,
      [assistant.id, assistant.userId, ...valuesOf(assistant), rowVersion],
      tx,
    );
    return rows.length > 0;
  }

  /**
   * Attaches exactly these tools; false when one of them is not the caller's any more. Whose a tool is, is asked in the
   * same statement, and the tools are locked by it: a check made before could be out of date.
   */
  async setTools(userId: number, assistantId: number, toolIds: readonly number[], tx: Tx): Promise<boolean> {
    await this.database.query('DELETE FROM assistant_tools WHERE assistant_id = $1', [assistantId], tx);
    if (toolIds.length === 0) return true;
    const rows = await this.database.query(
      `INSERT INTO assistant_tools (assistant_id, tool_id, position)
       SELECT $1, tool.id, sent.position
       FROM unnest($2::integer[]) WITH ORDINALITY AS sent (id, position)
       JOIN tools tool ON tool.id = sent.id AND tool.user_id = $3
       FOR KEY SHARE OF tool
       RETURNING tool_id`,
      [assistantId, toolIds, userId],
      tx,
    );
    return rows.length === toolIds.length;
  }

  idsOf(userId: number): Promise<number[]> {
    return this.database.values<number>('SELECT id FROM assistants WHERE user_id = $1', [userId]);
  }

  /** Closes all that are open. */
  async closeAll(userId: number, tx?: Tx): Promise<void> {
    await this.database.query(
      `UPDATE assistants SET ${CLOSED} WHERE user_id = $1 AND closed_at IS NULL`,
      [userId],
      tx,
    );
  }

  /** Closes one, also again. False when there is none. */
  close(userId: number, id: number): Promise<boolean> {
    return this.database.matches(
      `UPDATE assistants SET ${CLOSED} WHERE user_id = $1 AND id = $2 RETURNING 1`,
      [userId, id],
    );
  }

  delete(userId: number, id: number, tx: Tx): Promise<boolean> {
    return deleteOne(this.database.manager(tx), Assistant, { userId, id });
  }
}

function valuesOf(assistant: Omit<NewAssistant, 'id'>): unknown[] {
  return [
    assistant.name,
    assistant.type,
    assistant.mode,
    assistant.status,
    assistant.activatesByUse,
    assistant.languageId,
    assistant.voiceId,
    assistant.llmModelId,
    assistant.multimodalModelId,
    assistant.knowledgebaseId,
    assistant.phoneNumberId,
    assistant.folderId,
    assistant.labelIds,
    JSON.stringify(assistant.config),
    assistant.sealedCalendarKeys,
  ];
}

/** What a refused write was about; null for any other error. */
export function lostRaceOf(error: unknown): LostRace | null {
  if (isUniqueViolation(error, 'assistants_inbound_phone_number_key')) {
    return { field: 'phone_number_id', cause: 'taken' };
  }
  const fields = ['phone_number_id', 'knowledgebase_id', 'folder_id'] as const;
  const field = fields.find((name) => isForeignKeyViolation(error, `assistants_${name}_fkey`));
  return field ? { field, cause: 'gone' } : null;
}
