import { Injectable } from '@nestjs/common';
import { type DailySpend, DailySpendRepository } from './daily-spend.repository.js';

/** What an account has spent, day by day. */
@Injectable()
export class DailySpendService {
  constructor(private readonly spend: DailySpendRepository) {}

  /** Each of the last `days` days, today included, oldest first; a day has a row for each kind of work. */
  byDay(userId: number, days: number): Promise<DailySpend[]> {
    return this.spend.byDay(userId, days);
  }
}
