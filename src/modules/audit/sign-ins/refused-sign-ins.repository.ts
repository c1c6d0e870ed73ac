import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';

/** A sign-in that was refused, for an account or a member of it. */
export interface RefusedSignIn {
  readonly userId: number;
  readonly memberId: number | null;
  readonly network: string;
  readonly action: string;
  readonly status: number;
}

@Injectable()
export class RefusedSignInsRepository {
  constructor(private readonly database: Database) {}

  /** Writes the first ones of an hour, for each account, action and status. Others are left out. */
  async addBounded(refused: readonly RefusedSignIn[], maxAnHour: number): Promise<void> {
    await this.database.writePrepared(
      `INSERT INTO audit_log_entries (id, user_id, via, member_id, network, action, status)
       SELECT gen_random_uuid(), given.user_id, 'session', given.member_id, given.network, given.action, given.status
       FROM (SELECT *, row_number() OVER (PARTITION BY user_id, action, status ORDER BY place) AS nth
             FROM unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::smallint[])
               WITH ORDINALITY AS one (user_id, member_id, network, action, status, place)) AS given
       WHERE given.nth + (
         SELECT count(*) FROM audit_log_entries AS known
         WHERE known.user_id = given.user_id AND known.action = given.action AND known.status = given.status
           AND known.token_id IS NULL AND known.created_at > now() - interval '1 hour') <= $6`,
      [
        refused.map(({ userId }) => userId),
        refused.map(({ memberId }) => memberId),
        refused.map(({ network }) => network),
        refused.map(({ action }) => action),
        refused.map(({ status }) => status),
        maxAnHour,
      ],
    );
  }
}
