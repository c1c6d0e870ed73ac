import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Assistant } from './assistant.entity.js';

/** An assistant, its tools, and a text that changes with any of what it is made of. */
export interface VersionedAssistant {
  readonly assistant: Assistant;
  readonly toolIds: readonly number[];
  readonly version: string;
}

const VERSION = 'assistant_version(assistant.user_id, assistant.id)';

/** Reads assistants as they are run: with the version of all they are made of. */
@Injectable()
export class VersionedAssistantsRepository {
  constructor(private readonly database: Database) {}

  findVersioned(userId: number, id: number): Promise<VersionedAssistant | null> {
    return this.versioned('assistant.user_id = :userId AND assistant.id = :id', { userId, id });
  }

  /** The version alone, of an assistant that is known already. */
  async findVersion(userId: number, id: number): Promise<string | null> {
    const [row] = await this.database.readPrepared<{ version: string | null }>(
      'SELECT assistant_version($1, $2) AS version',
      [userId, id],
    );
    return row?.version ?? null;
  }

  /** By the uuid, which is all that a visitor of a conversation has: whose assistant it is, is the answer. */
  findVersionedByUuid(uuid: string): Promise<VersionedAssistant | null> {
    return this.versioned('assistant.uuid = :uuid AND assistant.closed_at IS NULL', { uuid });
  }

  private async versioned(where: string, parameters: object): Promise<VersionedAssistant | null> {
    const { entities, raw } = await this.database
      .manager()
      .createQueryBuilder(Assistant, 'assistant')
      .addSelect(
        `(SELECT array_agg(link.tool_id ORDER BY link.position) FROM assistant_tools link
          WHERE link.assistant_id = assistant.id)`,
        'tool_ids',
      )
      .addSelect(VERSION, 'version')
      .where(where, parameters)
      .getRawAndEntities<{ tool_ids: number[] | null; version: string }>();
    const [assistant] = entities;
    const [row] = raw;
    return assistant && row ? { assistant, toolIds: row.tool_ids ?? [], version: row.version } : null;
  }
}
