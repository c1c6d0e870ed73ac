// Runs some files with few others at the same time, so that they find time for what happens in real time.
import { relative } from 'node:path';
import TestRunner from 'jest-runner';
import { FileShares } from './file-shares.mjs';

/** In workers. Each of them places several calls at once, or calls in a browser: two cores carry little else. */
export const SHARES = {
  'test/integration/number-lookup-storm.spec.ts': 3,
  'test/pages/desk-story.spec.ts': 3,
  'test/pages/live-desk.spec.ts': 3,
  'test/voice/provider-faults.spec.ts': 3,
  'test/voice/realtime-faults.spec.ts': 3,
};

export default class SharedWorkersRunner extends TestRunner {
  constructor(globalConfig, ...rest) {
    super(globalConfig, ...rest);
    const shares = new FileShares(globalConfig.maxWorkers, SHARES);
    const fileOf = ({ path, context }) => relative(context.config.rootDir, path).replaceAll('\\', '/');
    // Jest waits for this listener before it gives the file to a worker.
    this.on('test-file-start', ([test]) => shares.begin(fileOf(test)));
    this.on('test-file-success', ([test]) => shares.end(fileOf(test)));
    this.on('test-file-failure', ([test]) => shares.end(fileOf(test)));
  }
}
