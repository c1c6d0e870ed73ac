// The process that reads one workbook. It knows no secrets and no database; a hostile file costs this process alone.
import { answerRequests } from '#src/common/processes/bounded-program.js';
import { readWorkbook } from './read-workbook.js';

answerRequests(readWorkbook, () => process.exit());
