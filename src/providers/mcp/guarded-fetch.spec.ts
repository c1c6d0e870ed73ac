import { it } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import type { EgressClient } from '../../common/egress/egress-client.js';
import { guardedFetch } from './guarded-fetch.js';

it.each([
  ['has no body', 202],
  ['is no HTTP', 999],
])('frees the connection of an answer that %s', async (_case, status) => {
  let isFree = false;
  async function* body(): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield Buffer.from('unread');
    } finally {
      isFree = true;
    }
  }
  const egress = { open: async () => ({ status, headers: {}, body: body() }) } as unknown as EgressClient;
  const fetch = guardedFetch(egress, { headers: {}, timeoutMs: 1_000, maxBytes: 1_000 });
  await fetch('https://h.example', { method: 'POST', body: '{"method":"ping"}' }).catch(() => null);

  await until(() => isFree);
});
