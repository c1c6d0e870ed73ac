import type { ZipLimits } from '#src/common/files/bounded-zip.js';
import type { ChildLimits } from '#src/common/processes/bounded-child.js';

/** Bounds of a workbook. A sheet of 100,000 rows of twenty columns is about 5 MB packed and 90 MB unpacked. */
export interface WorkbookLimits extends ZipLimits, ChildLimits {
  readonly rows: number;
}

export const WORKBOOK_LIMITS: WorkbookLimits = {
  entries: 2_000,
  unpackedBytes: 150 * 1_048_576,
  // XML of tables packs about twenty to one.
  unpackedRatio: 100,
  rows: 100_000,
  timeoutMs: 120_000,
  maxRssBytes: 800 * 1_048_576,
  maxHeapMegabytes: 600,
};
