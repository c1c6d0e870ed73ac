import { Injectable } from '@nestjs/common';
import { Database, isForeignKeyViolation } from '../../database/database.js';
import { findLocked } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { CarrierAccount } from './carrier-account.entity.js';

/** What refers to an account at a carrier, and keeps it from being deleted. */
const REFERENCES = ['phone_numbers_carrier_account_id_fkey', 'carrier_orders_carrier_account_id_fkey'];

export type NewCarrierAccount = Pick<
  CarrierAccount,
  'id' | 'userId' | 'carrier' | 'accountSid' | 'label' | 'sealedAuthToken'
>;

export type CarrierAccountChanges = Pick<
  CarrierAccount,
  'label' | 'sealedAuthToken' | 'sealedPreviousAuthToken' | 'previousExpiresAt'
>;

@Injectable()
export class CarrierAccountsRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, carrier: CarrierAccount['carrier'], tx?: Tx): Promise<CarrierAccount | null> {
    return this.database.manager(tx).findOneBy(CarrierAccount, { userId, carrier });
  }

  /** Other writers of it wait until the transaction ends. */
  findLocked(userId: number, carrier: CarrierAccount['carrier'], tx: Tx): Promise<CarrierAccount | null> {
    return findLocked(this.database.manager(tx), CarrierAccount, { userId, carrier });
  }

  /** That of any account, for work of the platform. */
  findById(id: string): Promise<CarrierAccount | null> {
    return this.database.manager().findOneBy(CarrierAccount, { id });
  }

  /** Whether it is there, and stays until the transaction ends. */
  hold(userId: number, id: string, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'SELECT id FROM carrier_accounts WHERE user_id = $1 AND id = $2 FOR KEY SHARE',
      [userId, id],
      tx,
    );
  }

  async insert(account: NewCarrierAccount, tx: Tx): Promise<void> {
    await this.database.manager(tx).insert(CarrierAccount, account);
  }

  async update(id: string, changes: CarrierAccountChanges, tx: Tx): Promise<void> {
    await this.database.manager(tx).update(CarrierAccount, { id }, changes);
  }

  /** False when numbers or orders refer to it; the transaction cannot go on then. */
  async delete(userId: number, id: string, tx?: Tx): Promise<boolean> {
    try {
      await this.database.manager(tx).delete(CarrierAccount, { userId, id });
      return true;
    } catch (error) {
      if (REFERENCES.some((constraint) => isForeignKeyViolation(error, constraint))) return false;
      throw error;
    }
  }
}
