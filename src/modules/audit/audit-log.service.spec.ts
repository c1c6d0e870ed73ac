import { describe, expect, it } from '@jest/globals';
import { AuditLogService } from './audit-log.service.js';

describe('AuditLogService', () => {
  it('lists no entry before the outcome that is being written is there', async () => {
    const done: string[] = [];
    let finish = () => {};
    const entries = {
      settle: async (outcomes: readonly { id: string }[]) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        done.push(...outcomes.map(({ id }) => id));
      },
      page: async () => {
        done.push('page');
        return [];
      },
    };
    const service = new AuditLogService(
      entries as never,
      { namesOf: async () => new Map() } as never,
      { settle: async () => undefined } as never,
      { auditLogMs: 1 } as never,
      {} as never,
    );
    service.end({ id: 'a', status: 201, resourceId: null });
    const first = service.list(1, {}, null, 10);
    const second = service.list(1, {}, null, 10);
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual([]);
    finish();
    await Promise.all([first, second]);
    expect(done).toEqual(['a', 'page', 'page']);
  });
});
