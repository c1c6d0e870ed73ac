import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import type { Folder } from './folder.entity.js';
import { FoldersRepository } from './folders.repository.js';

@Injectable()
export class FoldersService {
  constructor(private readonly folders: FoldersRepository) {}

  find(userId: number, id: number, tx?: Tx): Promise<Folder | null> {
    return this.folders.find(userId, id, tx);
  }
}
