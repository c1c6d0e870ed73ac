import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { Database } from '../../database/database.js';
import { deleteOne } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { ModelKey } from './model-key.entity.js';
import type { KeyUse } from './key-use.js';

export type NewModelKey = Omit<ModelKey, 'refusedAt' | 'createdAt' | 'updatedAt'>;

/** A key at one of its versions. */
export type ModelKeyVersion = Pick<ModelKey, 'userId' | 'service' | 'version'>;

/** A key that its server has refused just now. */
export interface RefusedModelKey {
  readonly refusedAt: Date;
  readonly baseUrl: string | null;
}

/** A server that accepts and refuses a key by turns is reported once in this time. */
const REFUSED_FOR_AT_LEAST = '1 hour';

@Injectable()
export class ModelKeysRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, service: KeyUse): Promise<ModelKey | null> {
    return this.database.manager().findOneBy(ModelKey, { userId, service });
  }

  /** All of an account but the one for chat, in the order of their names. */
  findForSpeech(userId: number): Promise<ModelKey[]> {
    return this.database.manager().find(ModelKey, {
      where: { userId, service: Not('chat') },
      order: { service: 'ASC' },
    });
  }

  /** In place of the one before. */
  async put(key: NewModelKey): Promise<void> {
    const { userId, service, version, baseUrl, region, sealedApiKey, model } = key;
    const { recognizerModel, synthesizerModel } = key;
    await this.database.query(
      `INSERT INTO model_keys (user_id, service, version, base_url, sealed_api_key, model, recognizer_model,
         synthesizer_model, region)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (user_id, service) DO UPDATE SET version = excluded.version, base_url = excluded.base_url,
         sealed_api_key = excluded.sealed_api_key, model = excluded.model, recognizer_model = excluded.recognizer_model,
         synthesizer_model = excluded.synthesizer_model, region = excluded.region, refused_at = NULL, updated_at = now()`,
      [userId, service, version, baseUrl, sealedApiKey, model, recognizerModel, synthesizerModel, region],
    );
  }

  /** False when there was none. */
  delete(userId: number, service: KeyUse): Promise<boolean> {
    return deleteOne(this.database.manager(), ModelKey, { userId, service });
  }

  /** Null when it is another version by now, or was known to be refused. */
  refuse({ userId, service, version }: ModelKeyVersion, tx: Tx): Promise<RefusedModelKey | null> {
    return this.database.first<RefusedModelKey>(
      `UPDATE model_keys SET refused_at = now()
       WHERE user_id = $1 AND service = $2 AND version = $3 AND refused_at IS NULL
       RETURNING refused_at AS "refusedAt", base_url AS "baseUrl"`,
      [userId, service, version],
      tx,
    );
  }

  /** The server takes it again. @param isSure at once, and not only when it was refused a while ago */
  async accept({ userId, service, version }: ModelKeyVersion, isSure: boolean): Promise<void> {
    await this.database.query(
      `UPDATE model_keys SET refused_at = NULL
       WHERE user_id = $1 AND service = $2 AND version = $3 AND refused_at IS NOT NULL
         AND ($4 OR refused_at < now() - $5::interval)`,
      [userId, service, version, isSure, REFUSED_FOR_AT_LEAST],
    );
  }
}
