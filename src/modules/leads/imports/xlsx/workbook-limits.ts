/** Bounds of a workbook. A sheet of 100,000 rows of twenty columns is about 5 MB packed and 90 MB unpacked. */
export interface WorkbookLimits {
  readonly entries: number;
  readonly unpackedBytes: number;
  /** Unpacked to packed; XML of tables packs about twenty to one. */
  readonly unpackedRatio: number;
  readonly rows: number;
  readonly timeoutMs: number;
  readonly maxRssBytes: number;
  readonly maxHeapMegabytes: number;
}

export const WORKBOOK_LIMITS: WorkbookLimits = {
  entries: 2_000,
  unpackedBytes: 150 * 1_048_576,
  unpackedRatio: 100,
  rows: 100_000,
  timeoutMs: 120_000,
  maxRssBytes: 800 * 1_048_576,
  maxHeapMegabytes: 600,
};
