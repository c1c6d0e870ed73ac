import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Above 5432 and its neighbours, where people run PostgreSQL of their own.
const FIRST = 5440;
const COUNT = 60;

/** A free port of 127.0.0.1, the preferred one if it is free. Null when all of 5440 to 5499 are taken. */
export async function findFreePort(preferred?: number): Promise<number | null> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  // Not from the first one on: several servers that start and stop would take each other's remembered ports.
  const start = randomInt(COUNT);
  for (let step = 0; step < COUNT; step += 1) {
    const port = FIRST + ((start + step) % COUNT);
    if (await isFree(port)) return port;
  }
  return null;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
