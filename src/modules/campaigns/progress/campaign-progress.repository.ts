import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { DialOutcome } from '../dialler/attempts/dial-attempt.entity.js';
import { inWindow, moment, nextOpening } from '../dialler/claims/calling-window.js';

/** Over which the pace is measured. */
const PACE_MINUTES = 5;

export interface AttemptCounts {
  readonly outcomes: ReadonlyMap<DialOutcome, number>;
  readonly live: number;
  /** Begun within the last minute. */
  readonly lastMinute: number;
  /** Settled a minute, by the last five minutes or by the time since the first attempt if that is shorter. */
  readonly settledPerMinute: number;
}

export interface CallingHours {
  readonly isOpen: boolean;
  /** When they begin next; null in a zone that the database does not know. */
  readonly opensAt: Date | null;
}

/** Counts of one campaign. They are read from indexes alone, but each of its leads is counted. */
@Injectable()
export class CampaignProgressRepository {
  constructor(private readonly database: Database) {}

  /** Whether the campaign may call at this hour. @param at for tests; null is now */
  async callingHoursOf(userId: number, campaignId: number, at: Date | null = null): Promise<CallingHours> {
    const [hours] = await this.database.readPrepared<CallingHours>(
      `SELECT ${inWindow(moment('$3'))} AS "isOpen", ${nextOpening(moment('$3'))} AS "opensAt"
       FROM campaigns c WHERE c.user_id = $1 AND c.id = $2`,
      [userId, campaignId, at],
    );
    return hours ?? { isOpen: false, opensAt: null };
  }

  async attemptsOf(userId: number, campaignId: number): Promise<AttemptCounts> {
    const outcomes = await this.database.query<{ outcome: DialOutcome; count: string }>(
      `SELECT outcome, count(*) FROM dial_attempts
       WHERE campaign_id = $2 AND user_id = $1 AND state = 'settled' GROUP BY outcome`,
      [userId, campaignId],
    );
    const [pace] = await this.database.query<Record<'live' | 'begun' | 'settled' | 'minutes', string>>(
      `SELECT
         (SELECT count(*) FROM dial_attempts WHERE campaign_id = $2 AND user_id = $1 AND state <> 'settled') AS live,
         (SELECT count(*) FROM dial_attempts
          WHERE campaign_id = $2 AND user_id = $1 AND created_at > now() - interval '1 minute') AS begun,
         recent.settled, recent.minutes
       FROM (SELECT count(*) FILTER (WHERE state = 'settled') AS settled,
               greatest(extract(epoch FROM now() - min(created_at)) / 60, 0.001) AS minutes
             FROM dial_attempts
             WHERE campaign_id = $2 AND user_id = $1 AND created_at > now() - interval '${PACE_MINUTES} minutes') AS recent`,
      [userId, campaignId],
    );
    return {
      outcomes: new Map(outcomes.map(({ outcome, count }) => [outcome, Number(count)])),
      live: Number(pace?.live ?? 0),
      lastMinute: Number(pace?.begun ?? 0),
      settledPerMinute: Number(pace?.settled ?? 0) / Number(pace?.minutes ?? 1),
    };
  }
}
