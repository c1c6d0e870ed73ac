import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../database/transactions.js';
import type { CallPerson } from './person-takeover.js';
import { TakeoverRecordsRepository } from './takeover-records.repository.js';

/** Who has taken over open calls, for a process that adopts one of them, and for lists of calls. */
@Injectable()
export class TakeoverRecordsService {
  constructor(private readonly records: TakeoverRecordsRepository) {}

  /** Null while the assistant has the customer. */
  find(callId: number): Promise<CallPerson | null> {
    return this.records.find(callId);
  }

  /** Keys of the people of an account who have a customer now. */
  listBusy(userId: number): Promise<string[]> {
    return this.records.listBusy(userId);
  }

  /** Does nothing when the call is not the token's any more, and returns false. @param person null: the assistant has the customer */
  write(callId: number, token: string, person: CallPerson | null, tx: Tx): Promise<boolean> {
    return this.records.write(callId, token, person, tx);
  }
}
