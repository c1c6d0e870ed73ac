// The database server is started when the first test asks for a database: most unit specs need none. Test processes ask over a
// local socket, see `serverOf` in database.ts.
import { once } from 'node:events';
import { createServer } from 'node:net';
// jest loads a global setup without the ES module support its tests have, so TypeScript is left to tsx here.
import { tsImport } from 'tsx/esm/api';
import { buildIfNeeded } from '../../scripts/build-if-needed.mjs';

export default async function globalSetup() {
  // Some tests call the API with the generated client.
  await buildIfNeeded({ server: false, client: true });
  /** @type {Promise<{ server: object, stop: () => Promise<void> }> | undefined} */
  let starting;
  const answers = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    starting ??= start();
    starting.then(
      ({ server }) => socket.end(JSON.stringify(server)),
      (error) => socket.end(JSON.stringify({ error: String(error?.stack ?? error) })),
    );
  });
  answers.listen(0, '127.0.0.1');
  await once(answers, 'listening');
  process.env.PROSA_TEST_DATABASE_PORT = String(answers.address().port);
  globalThis.stopDatabaseServer = async () => {
    answers.close();
    const started = await starting?.catch(() => undefined);
    await started?.stop();
  };
}

async function start() {
  const { startDatabaseServer } = await tsImport('./database-server.ts', import.meta.url);
  return startDatabaseServer();
}
