import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { Database } from '../../database/database.js';
import { saveUnlessTaken } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { PhoneNumber } from './phone-number.entity.js';
import { SipTrunk } from './sip-trunk.entity.js';

/** A trunk with the number it leads to. */
export interface TrunkWithNumber {
  readonly number: PhoneNumber;
  readonly trunk: SipTrunk;
}

@Injectable()
export class SipTrunksRepository {
  constructor(private readonly database: Database) {}

  async listOf(userId: number): Promise<TrunkWithNumber[]> {
    const manager = this.database.manager();
    const numbers = await manager.find(PhoneNumber, {
      where: { userId, type: 'sip' },
      order: { id: 'ASC' },
    });
    const trunks = new Map((await manager.findBy(SipTrunk, { userId })).map((trunk) => [trunk.id, trunk]));
    return numbers.flatMap((number) => {
      const trunk = trunks.get(number.id);
      return trunk ? [{ number, trunk }] : [];
    });
  }

  /**
   * Those of all accounts, oldest first, for the process that serves them. Beyond the limit, the accounts with the most go
   * without their youngest: no account's first trunk is left out for the hundredth of another one.
   */
  async listShared(limit: number): Promise<TrunkWithNumber[]> {
    const shared = await this.database.query<{ id: number }>(
      `SELECT id FROM (
         SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id) AS place FROM sip_trunks) ranked
       ORDER BY place, id LIMIT $1`,
      [limit],
    );
    const ids = In(shared.map(({ id }) => id));
    const manager = this.database.manager();
    const trunks = await manager.find(SipTrunk, { where: { id: ids }, order: { id: 'ASC' } });
    const numbers = await manager.findBy(PhoneNumber, { id: ids });
    const byId = new Map(numbers.map((number) => [number.id, number]));
    return trunks.flatMap((trunk) => {
      const number = byId.get(trunk.id);
      return number ? [{ number, trunk }] : [];
    });
  }

  find(userId: number, id: number, tx?: Tx): Promise<SipTrunk | null> {
    return this.database.manager(tx).findOneBy(SipTrunk, { userId, id });
  }

  count(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(SipTrunk, { userId });
  }

  /** Of any account: the caller has checked who owns the number that a call is placed from. */
  async findWithNumber(id: number): Promise<TrunkWithNumber | null> {
    const manager = this.database.manager();
    const [number, trunk] = await Promise.all([
      manager.findOneBy(PhoneNumber, { id }),
      manager.findOneBy(SipTrunk, { id }),
    ]);
    return number && trunk && { number, trunk };
  }

  /** The limits of those trunks that have one, by id. */
  async findCallLimits(userId: number, ids: readonly number[], tx: Tx): Promise<ReadonlyMap<number, number>> {
    const trunks = await this.database.manager(tx).find(SipTrunk, {
      where: { userId, id: In([...ids]), maxParallelCalls: Not(IsNull()) },
      select: { id: true, maxParallelCalls: true },
    });
    return new Map(
      trunks.flatMap(({ id, maxParallelCalls }) =>
        maxParallelCalls === null ? [] : [[id, maxParallelCalls]],
      ),
    );
  }

  /** Writes a new or a changed trunk; false when the account has another one of the same number, user and address. */
  async save(trunk: SipTrunk, tx: Tx): Promise<boolean> {
    const manager = this.database.manager(tx);
    const saved = await saveUnlessTaken(manager, manager.create(SipTrunk, trunk), 'sip_trunks_account_key');
    return saved !== null;
  }
}
