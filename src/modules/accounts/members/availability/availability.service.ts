import { Injectable } from '@nestjs/common';
import type { Principal } from '#src/common/auth/principal.js';
import { isOfPerson } from '#src/common/auth/scopes.js';
import { MemberNotFoundError } from '../members.errors.js';
import { PersonRequiredError } from './availability.errors.js';
import {
  type AccountPerson,
  type Availability,
  AvailabilityRepository,
  type AvailablePerson,
} from './availability.repository.js';

/** Whether the caller takes calls that assistants pass on. */
@Injectable()
export class AvailabilityService {
  constructor(private readonly availabilities: AvailabilityRepository) {}

  /** @throws PersonRequiredError | MemberNotFoundError */
  async get(caller: Principal): Promise<Availability> {
    return (await this.availabilities.find(personOf(caller))) ?? MemberNotFoundError.throw();
  }

  /** It ends a minute after the last event stream of the person. @throws PersonRequiredError | MemberNotFoundError */
  async set(caller: Principal, isAvailable: boolean): Promise<Availability> {
    return (await this.availabilities.set(personOf(caller), isAvailable)) ?? MemberNotFoundError.throw();
  }

  /** Who of the account takes calls now. */
  listAvailable(userId: number): Promise<AvailablePerson[]> {
    return this.availabilities.listAvailable(userId);
  }
}

function personOf(caller: Principal): AccountPerson {
  if (!isOfPerson(caller)) throw new PersonRequiredError();
  return { userId: caller.userId, memberId: caller.memberId ?? null };
}
