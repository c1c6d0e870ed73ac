import {
  Column,
  CreateDateColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  type ValueTransformer,
} from 'typeorm';

/** An integer id that the database assigns. */
export function IdColumn(primaryKeyConstraintName: string): PropertyDecorator {
  return PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName,
  });
}

/** The base of entities whose rows belong to an account, `userId`. */
export abstract class OwnedRow {
  @Column({ type: 'integer' })
  declare userId: number;
}

/** An owned row with the time of its creation. */
export abstract class OwnedRowWithCreatedAt extends OwnedRow {
  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}

/** An owned row with the times of its creation and of its last change. */
export abstract class OwnedRowWithTimestamps extends OwnedRowWithCreatedAt {
  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}

/** The driver gives bigint as text; ours (ids, micro-dollars) stay far below 2^53 and are numbers. */
export const bigintAsNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : toSafeInteger(value)),
};

/** A bigint of a raw query as a number. */
export function toSafeInteger(value: string | number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is beyond the safe integers`);
  return number;
}
