import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { Folder } from './folder.entity.js';

@Injectable()
export class FoldersRepository {
  constructor(private readonly database: Database) {}

  find(userId: number, id: number, tx?: Tx): Promise<Folder | null> {
    return this.database.manager(tx).findOneBy(Folder, { userId, id });
  }
}
