// The thread that compares vectors, so that nothing else waits for it. It keeps nothing between two searches.
import { parentPort } from 'node:worker_threads';
import { nearestRows } from './nearest-rows.js';
import type { ScanReply, ScanRequest } from './vector-scan.service.js';

parentPort?.on('message', ({ id, values, vector, limit }: ScanRequest) => {
  const reply: ScanReply = { id, rows: nearestRows(values, vector, limit) };
  parentPort?.postMessage(reply, []);
});
