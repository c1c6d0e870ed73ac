// jest loads a global setup without the ES module support its tests have, so TypeScript is left to tsx here.
import { tsImport } from 'tsx/esm/api';

export default async function globalSetup() {
  const { startDatabaseServer } = await tsImport('./database-server.ts', import.meta.url);
  globalThis.stopDatabaseServer = await startDatabaseServer();
}
