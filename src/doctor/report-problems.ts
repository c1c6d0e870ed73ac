import type { INestApplication } from '@nestjs/common';
import { DrainService } from '../common/http/connections/drain.service.js';
import type { Logger } from '../common/observability/logger.js';
import type { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { FileStorage } from '../providers/storage/file-storage.js';
import { startChecks } from './checks-of.js';
import { runChecks } from './run-checks.js';

/** Looks at the surroundings of a process that has started, and logs a sentence for each problem. Never fails. */
export async function reportProblems(app: INestApplication, config: Config, logger: Logger): Promise<void> {
  const database = app.get(Database, { strict: false });
  const storage = app.get(FileStorage, { strict: false });
  const findings = await runChecks(startChecks(config, (work) => work(database), storage));
  // The end of a process closes what the checks have asked.
  if (app.get(DrainService, { strict: false }).leaving.aborted) return;
  for (const { check, verdict, text } of findings)
    if (verdict !== 'ok') logger.warn(text, { check, verdict });
}
