import { describe, expect, it } from '@jest/globals';
import { features } from '../../src/features.js';
import { pluginEventsFeature } from '../../src/modules/webhooks/plugin-events/plugin-events.feature.js';

const definitions = [...features, pluginEventsFeature].flatMap(({ jobs = [] }) => jobs);

describe('The jobs of the product', () => {
  it('each say whether they run in a paused installation', () => {
    const silent = definitions.filter(({ whilePaused }) => whilePaused === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('run there only where they neither act outside nor charge rents', () => {
    const running = definitions.filter(({ whilePaused }) => whilePaused === 'runs');
    expect(running.map(({ name }) => name).sort()).toEqual([
      'conclude-conversation',
      'end-idle-conversations',
      'evaluate-call',
      'index-call-words',
      'ingest-document',
      'reindex-words',
      'run-account-export',
      'run-simulation',
      'sweep-account-exports',
      'sweep-documents',
      'sweep-holds',
      'sweep-idempotency-keys',
      'sweep-logins',
      'sweep-simulations',
      'sweep-visitors',
    ]);
  });
});
