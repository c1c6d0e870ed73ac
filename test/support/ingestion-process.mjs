// A process that ingests one document on the built product, for tests that kill it.
// Arguments: id of the document. Environment: that of Prosa.
import { createApp } from '../../dist/boot/create-app.js';
import { Logger } from '../../dist/common/observability/logger.js';
import { configFrom } from '../../dist/config/config-from.js';
import { parseEnvironment } from '../../dist/config/environment.js';
import { IngestionService } from '../../dist/modules/knowledgebases/ingestion/ingestion.service.js';

const config = configFrom(parseEnvironment(process.env));
const app = await createApp({
  config,
  logger: Logger.create('silent'),
  databaseUrl: config.database.url,
  encryptionKeys: config.security.encryptionKeys,
});
await app.init();
process.send('ready');
await app.get(IngestionService).ingest({ documentId: Number(process.argv[2]) });
process.exit(0);
