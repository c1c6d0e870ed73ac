import { Injectable } from '@nestjs/common';
import { Database } from '#src/database/database.js';
import type { Role } from '../role.js';

/** A person of an account: a member, or the owner. */
export interface AccountPerson {
  readonly userId: number;
  /** Null for the owner of the account. */
  readonly memberId: number | null;
}

export interface Availability {
  readonly isAvailable: boolean;
  /** When the present state began. */
  readonly since: Date;
}

/** How long a person stays available without an event stream. The clock is that of the database. */
const GRACE = "interval '60 seconds'";
/** SQL: whether the person of the row named `mine` is available now. */
const IS_AVAILABLE = `(mine.is_available AND mine.seen_at > now() - ${GRACE})`;
/** SQL: when the present state of that person began. */
const BEGAN_AT = `CASE WHEN mine.is_available AND NOT ${IS_AVAILABLE} THEN mine.seen_at + ${GRACE} ELSE mine.since END`;

const FIND = `
  SELECT coalesce(${IS_AVAILABLE}, false) AS "isAvailable",
    coalesce(${BEGAN_AT}, members.created_at, users.created_at) AS since
  FROM users
  LEFT JOIN members ON members.user_id = users.id AND members.id = $2
  LEFT JOIN member_availabilities mine ON mine.user_id = users.id AND mine.member_id IS NOT DISTINCT FROM $2
  WHERE users.id = $1 AND ($2::integer IS NULL OR members.id IS NOT NULL)`;

/** A person who takes calls. */
export interface AvailablePerson {
  /** Null for the owner of the account. */
  readonly memberId: number | null;
  readonly role: Role;
}

const LIST_AVAILABLE = `
  SELECT mine.member_id AS "memberId", coalesce(members.role, 'owner') AS role
  FROM member_availabilities mine LEFT JOIN members ON members.id = mine.member_id
  WHERE mine.user_id = $1 AND ${IS_AVAILABLE} ORDER BY mine.id`;

/** @param key the columns and the condition of the unique index that finds the row of the person */
const setStatement = (key: string) => `
  INSERT INTO member_availabilities AS mine (user_id, member_id, is_available, since, seen_at)
  SELECT users.id, members.id, $3, now(), now()
  FROM users LEFT JOIN members ON members.user_id = users.id AND members.id = $2
  WHERE users.id = $1 AND ($2::integer IS NULL OR members.id IS NOT NULL)
  ON CONFLICT ${key} DO UPDATE SET
    since = CASE WHEN ${IS_AVAILABLE} = excluded.is_available THEN ${BEGAN_AT} ELSE now() END,
    is_available = excluded.is_available, seen_at = excluded.seen_at
  RETURNING mine.is_available AS "isAvailable", mine.since`;
const SET_OF_OWNER = setStatement('(user_id) WHERE member_id IS NULL');
const SET_OF_MEMBER = setStatement('(member_id) WHERE member_id IS NOT NULL');

/** One that has ended stays ended. */
const RENEW = `
  UPDATE member_availabilities mine SET seen_at = now()
  FROM unnest($1::integer[], $2::integer[]) AS open (user_id, member_id)
  WHERE mine.user_id = open.user_id AND mine.member_id IS NOT DISTINCT FROM open.member_id AND ${IS_AVAILABLE}`;

@Injectable()
export class AvailabilityRepository {
  constructor(private readonly database: Database) {}

  /** Null for a person who is not there. */
  async find({ userId, memberId }: AccountPerson): Promise<Availability | null> {
    const [found] = await this.database.readPrepared<Availability>(FIND, [userId, memberId]);
    return found ?? null;
  }

  listAvailable(userId: number): Promise<AvailablePerson[]> {
    return this.database.readPrepared<AvailablePerson>(LIST_AVAILABLE, [userId]);
  }

  /** Null for a person who is not there. */
  async set({ userId, memberId }: AccountPerson, isAvailable: boolean): Promise<Availability | null> {
    const sql = memberId === null ? SET_OF_OWNER : SET_OF_MEMBER;
    const [stored] = await this.database.writePrepared<Availability>(sql, [userId, memberId, isAvailable]);
    return stored ?? null;
  }

  /** Keeps those of these people available who still are. */
  async renew(people: readonly AccountPerson[]): Promise<void> {
    await this.database.writePrepared(RENEW, [
      people.map(({ userId }) => userId),
      people.map(({ memberId }) => memberId),
    ]);
  }
}
