// The process that reads one workbook. It knows no secrets and no database; a hostile file costs this process alone.
import { watchMemory } from '#src/common/processes/watch-memory.js';
import { readWorkbook } from './read-workbook.js';
import type { WorkbookRequest } from './workbook-reply.js';

watchMemory();

process.once('message', (request: WorkbookRequest) => {
  void readWorkbook(request).then((reply) => process.send?.(reply, () => process.exit()));
});
