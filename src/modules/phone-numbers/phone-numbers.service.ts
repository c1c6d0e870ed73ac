import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import type { PhoneNumber } from './phone-number.entity.js';
import { PhoneNumbersRepository } from './phone-numbers.repository.js';

@Injectable()
export class PhoneNumbersService {
  constructor(private readonly numbers: PhoneNumbersRepository) {}

  /** A number the caller owns. */
  find(userId: number, id: number, tx?: Tx): Promise<PhoneNumber | null> {
    return this.numbers.find(userId, id, tx);
  }

  /** The numbers the caller owns, oldest first. */
  listOwned(userId: number): Promise<PhoneNumber[]> {
    return this.numbers.listOf(userId);
  }
}
