// A process that owns an embedded server, for tests that kill it or run it as another user. It runs the built product,
// which starts in a fraction of the time that compiling the sources takes.
// Arguments: EmbeddedPostgresOptions as JSON. Prints one line of JSON, and stops the server when its input ends.
import { EmbeddedPostgres } from '../../dist/database/embedded/embedded-postgres.js';

try {
  const options = JSON.parse(process.argv[2] ?? '{}');
  const server = await EmbeddedPostgres.start({ ...options, log: () => undefined });
  const { url, adminUrl, port } = server;
  console.log(JSON.stringify({ url, adminUrl, port }));
  process.stdin.resume();
  process.stdin.once('end', () => void server.stop());
} catch (error) {
  console.log(
    JSON.stringify({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }),
  );
}
