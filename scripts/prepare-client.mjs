// Generates the client, which the console and tests import, unless it is newer than the OpenAPI document.
import { buildIfNeeded } from './build-if-needed.mjs';

await buildIfNeeded({ server: false, client: true });
