// `npm run build`: builds the server, the pages and the types of `prosa/plugin`. `npm start` and other commands then use this
// build until a source changes.
import { buildAnew } from './build-if-needed.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);
await buildAnew();
