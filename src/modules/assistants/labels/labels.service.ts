import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import type { PageOf, PageRequest } from '../../../common/http/page.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import type { CreateLabelRequest, UpdateLabelRequest } from './label.request.js';
import type { Label } from './label.entity.js';
import { LabelNotFoundError } from './labels.errors.js';
import { LabelsRepository } from './labels.repository.js';

/** A label with the number of assistants that have it. */
export interface CountedLabel {
  readonly label: Label;
  readonly assistantsCount: number;
}

@Injectable()
export class LabelsService {
  constructor(
    private readonly labels: LabelsRepository,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  /** Whether all are labels of the account. Within a transaction none of them is deleted until it ends. */
  async haveAll(userId: number, ids: readonly number[], tx?: Tx): Promise<boolean> {
    if (ids.length === 0) return true;
    return (await this.labels.idsAmong(userId, ids, tx)).length === ids.length;
  }

  async page(userId: number, request: PageRequest): Promise<PageOf<CountedLabel>> {
    const { rows, total } = await this.labels.pageOf(userId, request);
    const counts = await this.labels.countAssistants(
      userId,
      rows.map(({ id }) => id),
    );
    return {
      rows: rows.map((label) => ({ label, assistantsCount: counts.get(label.id) ?? 0 })),
      total,
    };
  }

  /** @throws ValidationFailedError when the account has a label of this name */
  create(userId: number, request: CreateLabelRequest): Promise<CountedLabel> {
    if (!this.effect.isKeyed) return this.add(userId, request);
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, tx),
        referenceOf: ({ label }) => String(label.id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
  }

  /** Changes the fields that were sent. @throws LabelNotFoundError | ValidationFailedError */
  update(userId: number, id: number, { name, color }: UpdateLabelRequest): Promise<CountedLabel> {
    return this.transactions.run(async (tx) => {
      const label = (await this.labels.findLocked(userId, id, tx)) ?? LabelNotFoundError.throw();
      if (name !== undefined) label.name = name.trim();
      if (color !== undefined) label.color = color;
      const saved = takenUnless(await this.labels.save(label, tx));
      return { label: saved, assistantsCount: await this.countIn(saved, tx) };
    });
  }

  /** Deletes the label; its assistants stay. @throws LabelNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    const isDeleted = await this.transactions.run((tx) => this.labels.delete(userId, id, tx));
    if (!isDeleted) throw new LabelNotFoundError();
  }

  private async add(userId: number, { name, color }: CreateLabelRequest, tx?: Tx): Promise<CountedLabel> {
    const saved = await this.labels.save({ userId, name: name.trim(), color: color ?? null }, tx);
    return { label: takenUnless(saved), assistantsCount: 0 };
  }

  private async get(userId: number, id: number, tx: Tx): Promise<CountedLabel> {
    const label = (await this.labels.find(userId, id, tx)) ?? LabelNotFoundError.throw();
    return { label, assistantsCount: await this.countIn(label, tx) };
  }

  private async countIn({ userId, id }: Label, tx: Tx): Promise<number> {
    return (await this.labels.countAssistants(userId, [id], tx)).get(id) ?? 0;
  }
}

function takenUnless(saved: Label | null): Label {
  if (!saved) throw ValidationFailedError.of('name', 'labels.name_taken');
  return saved;
}
