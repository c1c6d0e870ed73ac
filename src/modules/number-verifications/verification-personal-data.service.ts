import { Injectable } from '@nestjs/common';
import type { Person } from '../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  PersonalRecord,
  RecordPage,
} from '../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../database/transactions.js';
import type { NumberVerification } from './number-verification.entity.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';
import { VerificationLimitsService } from './verification-limits.service.js';

/** That a person's number was called to prove it. */
@Injectable()
export class VerificationPersonalDataService implements PersonalDataSource {
  readonly name = 'number_verifications';

  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly limits: VerificationLimitsService,
  ) {}

  async read({ userId, phoneNumber }: Person): Promise<RecordPage> {
    const found = await this.verifications.ofPerson(userId, phoneNumber);
    return { records: found.map(recordOf), next: null };
  }

  /** One whose call is under way comes later: its money is settled by its row. */
  async erase(person: Person, _after: string | null, tx: Tx): Promise<ErasedPage> {
    const found = await this.verifications.ofPerson(person.userId, person.phoneNumber, tx);
    const over = found.filter(({ endedAt }) => endedAt !== null);
    const ids = over.map(({ id }) => id);
    await this.limits.forget(person, ids, tx);
    return { erased: over.length, busy: found.length - over.length, next: null };
  }
}

function recordOf({ id, phoneNumber, status, createdAt }: NumberVerification): PersonalRecord {
  return {
    kind: 'number_verification',
    data: { id, phone_number: phoneNumber, status, created_at: createdAt.toISOString() },
  };
}
