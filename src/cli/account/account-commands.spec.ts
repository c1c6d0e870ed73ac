import { describe, expect, it, jest } from '@jest/globals';
import { COMMANDS } from './account-commands.js';
import type { AccountServices } from './account-services.js';

describe('the command delete', () => {
  it.each(['account_exports', 'document_sources'])(
    'leaves an account with %s, which have files, to a worker',
    async (table) => {
      const close = jest.fn((_userId: number) => Promise.resolve({ id: 7 }));
      const services = {
        database: { run: (work: () => unknown) => work() },
        directory: { find: () => Promise.resolve({ id: 1, email: 'ana@example.com' }) },
        holdings: { lock: () => Promise.resolve(), of: () => Promise.resolve([{ table, rows: 1 }]) },
        billing: { lockMovements: () => Promise.resolve(0) },
        closing: { close },
        log: { run: (_change: unknown, work: () => unknown) => work() },
      } as unknown as AccountServices;

      const said = await COMMANDS.delete?.(services, { email: 'ana@example.com', force: true });

      expect(close).toHaveBeenCalledWith(1);
      expect(said).toContain('deletion 7');
    },
  );
});
