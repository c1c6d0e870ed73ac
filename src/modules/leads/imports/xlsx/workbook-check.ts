import {
  boundedEntries,
  unpackIntoNothing,
  withOpenZip,
  ZipError,
  type ZipProblem,
} from '#src/common/files/bounded-zip.js';
import type { WorkbookLimits } from './workbook-limits.js';
import type { WorkbookFailure } from './workbook-reply.js';

const WORKBOOK_PART = 'xl/workbook.xml';
const FAILURE_OF: Readonly<Record<ZipProblem, WorkbookFailure>> = {
  unreadable: 'unreadable',
  encrypted: 'encrypted',
  entries: 'hostile',
  ratio: 'hostile',
  size: 'too-large',
  declarations: 'hostile',
};

/** A workbook that is not read. */
export class WorkbookError extends Error {
  override readonly name = 'WorkbookError';

  constructor(
    readonly failure: WorkbookFailure,
    options?: ErrorOptions,
  ) {
    super(failure, options);
  }
}

/**
 * Sees that a workbook is whole and harmless before a reader unpacks it into memory.
 *
 * @throws WorkbookError
 */
export async function checkWorkbook(path: string, limits: WorkbookLimits): Promise<void> {
  try {
    await withOpenZip(path, async (zip) => {
      const entries = await boundedEntries(zip, limits);
      if (!entries.some(({ fileName }) => fileName === WORKBOOK_PART)) throw new WorkbookError('unreadable');
      await unpackIntoNothing(zip, entries);
    });
  } catch (error) {
    if (error instanceof WorkbookError) throw error;
    const failure = error instanceof ZipError ? FAILURE_OF[error.problem] : 'unreadable';
    throw new WorkbookError(failure, { cause: error });
  }
}
