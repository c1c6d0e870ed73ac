import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { CreateFolderRequest, UpdateFolderRequest } from './dto/folder.request.js';
import type { Folder } from './folder.entity.js';
import { FolderNotFoundError } from './folders.errors.js';
import { FoldersRepository } from './folders.repository.js';

/** A folder with the number of assistants in it. */
export interface CountedFolder {
  readonly folder: Folder;
  readonly assistantsCount: number;
}

@Injectable()
export class FoldersService {
  constructor(
    private readonly folders: FoldersRepository,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  find(userId: number, id: number, tx?: Tx): Promise<Folder | null> {
    return this.folders.find(userId, id, tx);
  }

  async page(userId: number, request: PageRequest): Promise<PageOf<CountedFolder>> {
    const { rows, total } = await this.folders.pageOf(userId, request);
    const counts = await this.folders.countAssistants(
      userId,
      rows.map(({ id }) => id),
    );
    return {
      rows: rows.map((folder) => ({ folder, assistantsCount: counts.get(folder.id) ?? 0 })),
      total,
    };
  }

  /** @throws ValidationFailedError when the account has a folder of this name */
  create(userId: number, request: CreateFolderRequest): Promise<CountedFolder> {
    if (!this.effect.isKeyed) return this.add(userId, request);
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, tx),
        referenceOf: ({ folder }) => String(folder.id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
  }

  /** Changes the fields that were sent. @throws FolderNotFoundError | ValidationFailedError */
  update(userId: number, id: number, { name, color }: UpdateFolderRequest): Promise<CountedFolder> {
    return this.transactions.run(async (tx) => {
      const folder = (await this.folders.findLocked(userId, id, tx)) ?? FolderNotFoundError.throw();
      if (name !== undefined) folder.name = name.trim();
      if (color !== undefined) folder.color = color;
      const saved = takenUnless(await this.folders.save(folder, tx));
      return { folder: saved, assistantsCount: await this.countIn(saved, tx) };
    });
  }

  /** Deletes the folder; its assistants stay, in no folder. @throws FolderNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.folders.delete(userId, id))) throw new FolderNotFoundError();
  }

  private async add(userId: number, { name, color }: CreateFolderRequest, tx?: Tx): Promise<CountedFolder> {
    const saved = await this.folders.save({ userId, name: name.trim(), color: color ?? null }, tx);
    return { folder: takenUnless(saved), assistantsCount: 0 };
  }

  private async get(userId: number, id: number, tx: Tx): Promise<CountedFolder> {
    const folder = (await this.folders.find(userId, id, tx)) ?? FolderNotFoundError.throw();
    return { folder, assistantsCount: await this.countIn(folder, tx) };
  }

  private async countIn({ userId, id }: Folder, tx: Tx): Promise<number> {
    return (await this.folders.countAssistants(userId, [id], tx)).get(id) ?? 0;
  }
}

function takenUnless(saved: Folder | null): Folder {
  if (!saved) throw ValidationFailedError.of('name', 'folders.name_taken');
  return saved;
}
