// The process that reads files. It knows no secrets and no database; a hostile file costs this process alone.
import { answerRequests } from '../../../common/processes/bounded-program.js';
import { extract } from './extract.js';

answerRequests(extract);
