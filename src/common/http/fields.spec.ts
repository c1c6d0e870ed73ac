import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { IdField, IntegerField, NumberField, ObjectField, ObjectsField, StringField } from './fields.js';
import { IdsField } from './fields/list-fields.js';
import { RequestValidationPipe } from './validation.pipe.js';

class PartRequest {
  @IdField({ optional: true })
  declare part_id?: number;
}

class OrderRequest {
  @IntegerField({ optional: true, nullable: true, min: -5, max: 100 })
  declare amount?: number | null;

  @IdsField({ optional: true })
  declare tag_ids?: number[];

  @ObjectsField(() => PartRequest, { optional: true })
  declare parts?: PartRequest[];

  @StringField({ optional: true })
  declare zip?: string;

  @NumberField({ optional: true })
  declare weight?: number;

  @ObjectField({ optional: true })
  declare variables?: Record<string, unknown>;
}

describe('integer fields of a body', () => {
  const pipe = new RequestValidationPipe();
  const read = (body: object) => pipe.transform(body, { type: 'body', metatype: OrderRequest });

  it.each([
    [{ amount: '7' }, { amount: 7 }],
    [{ amount: '0' }, { amount: 0 }],
    [{ amount: '-5' }, { amount: -5 }],
    [{ amount: null }, { amount: null }],
    [{ tag_ids: ['1', 2, '30'] }, { tag_ids: [1, 2, 30] }],
    [{ parts: [{ part_id: '12' }, { part_id: 3 }] }, { parts: [{ part_id: 12 }, { part_id: 3 }] }],
  ])('are read from strings of digits: %j', async (body, expected) => {
    expect(await read(body)).toEqual(expected);
  });

  it.each([
    { amount: '1.0' },
    { amount: 'abc' },
    { amount: '' },
    { amount: true },
    { amount: ' 1' },
    { amount: '1 ' },
    { amount: '+1' },
    { amount: '01' },
    { amount: '-0' },
    { amount: '1e1' },
    { amount: '0x1' },
    { amount: '١' },
    { amount: ['1'] },
    { amount: '9007199254740993' },
    { amount: 9_007_199_254_740_992 },
    { amount: '101' },
    { tag_ids: ['1.0'] },
    { tag_ids: ['1', 1] },
    { tag_ids: '1' },
    { parts: [{ part_id: '' }] },
  ])('refuse all other forms: %j', async (body) => {
    await expect(read(body)).rejects.toThrow();
  });

  it('leave texts and free values as they were sent', async () => {
    const body = { zip: '01310', variables: { order: '4711', list: ['1'] } };
    expect(await read(body)).toEqual(body);
    await expect(read({ weight: '1' })).rejects.toThrow();
  });
});
