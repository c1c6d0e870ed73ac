// The process that reads files. It knows no secrets and no database; a hostile file costs this process alone.
import { watchMemory } from '../../../common/processes/watch-memory.js';
import { extract } from './extract.js';
import type { ExtractionRequest } from './extraction.js';

watchMemory();

process.on('message', (request: ExtractionRequest) => {
  void extract(request).then((reply) => process.send?.(reply));
});
