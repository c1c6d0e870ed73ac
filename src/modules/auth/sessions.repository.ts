import { Injectable } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import { Database } from '../../database/database.js';
import { Session } from './session.entity.js';

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  async add(session: Pick<Session, 'userId' | 'tokenHash' | 'expiresAt'>): Promise<void> {
    await this.database.manager().insert(Session, session);
  }

  findLive(tokenHash: Buffer): Promise<Session | null> {
    return this.database.manager().findOneBy(Session, { tokenHash, expiresAt: MoreThan(new Date()) });
  }

  async delete(userId: number, id: number): Promise<void> {
    await this.database.manager().delete(Session, { userId, id });
  }

  async deleteExpired(userId: number): Promise<void> {
    await this.database.manager().delete(Session, { userId, expiresAt: LessThan(new Date()) });
  }
}
