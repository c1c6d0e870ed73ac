import { describe, expect, it, jest } from '@jest/globals';
import { ForeignOriginError } from '../../../common/errors/errors.js';
import { OperatorLogService } from './operator-log.service.js';

const CHANGE = { userId: 7, action: 'account.set' };

describe('OperatorLogService', () => {
  function logOf(settle: () => Promise<void> = async () => undefined) {
    const order: unknown[] = [];
    const entries = {
      addAll: async ([entry]: readonly { id: string }[]) => {
        order.push(entry);
      },
      settle: jest.fn(async ([outcome]: readonly unknown[]) => {
        await settle();
        order.push(outcome);
      }),
    };
    return { log: new OperatorLogService(entries as never), order };
  }

  it('writes the entry before the change, and its outcome afterwards', async () => {
    const { log, order } = logOf();
    const change = async () => {
      order.push('change');
      return 12;
    };
    expect(await log.run({ ...CHANGE, resourceId: '3' }, change)).toBe(12);
    const id = (order[0] as { id: string }).id;
    expect(order).toEqual([
      { id, ...CHANGE, via: 'operator', tokenId: null, memberId: null, network: null },
      'change',
      { id, status: 200, resourceId: '3' },
    ]);
  });

  it.each([
    ['a refusal', new ForeignOriginError(), 403],
    ['a fault', new Error('the disk is full'), 500],
  ])('writes %s with its status, and reports it', async (_what, error, status) => {
    const { log, order } = logOf();
    await expect(log.run({ ...CHANGE, resourceId: '3' }, () => Promise.reject(error))).rejects.toBe(error);
    expect(order[1]).toMatchObject({ status, resourceId: null });
  });

  it('reports the error of the command where the outcome cannot be written either', async () => {
    const { log } = logOf(() => Promise.reject(new Error('the database is away')));
    const error = new Error('the disk is full');
    await expect(log.run(CHANGE, () => Promise.reject(error))).rejects.toBe(error);
  });
});
