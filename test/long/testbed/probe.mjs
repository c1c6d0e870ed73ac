// Loaded before the product, with --expose-gc: on SIGUSR2 it writes what the process holds after a garbage collection; as it
// is where calls in sound run, which would stand still for that long.
import { renameSync, writeFileSync } from 'node:fs';

const file = process.env.PROBE_FILE ?? '';

process.on('SIGUSR2', () => {
  if (!process.env.PROSA_ROLES?.includes('voice') || process.env.SANDBOX_MEDIA !== 'audio') {
    globalThis.gc?.();
    globalThis.gc?.();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  writeFileSync(`${file}.new`, JSON.stringify({ rss, heapUsed, external, handles }));
  renameSync(`${file}.new`, file);
});
