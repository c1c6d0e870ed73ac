import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { ConcurrentUse } from '../../../common/limits/concurrent-use.js';
import { TimeSlice } from '../../../common/time/time-slice.js';
import { LimitsConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { text, type TextKey } from '../../../i18n/catalogue.js';
import type { TextRef } from '../../../i18n/text.js';
import { CsvFile } from './csv/csv-file.js';
import type { CsvRecord } from './csv/csv-records.js';
import { LeadColumns } from './csv/lead-columns.js';
import type { CsvSource, CsvUpload } from './csv-upload.js';
import type { ImportLeadsQuery } from '../dto/lead.request.js';
import { LeadCampaignsRepository } from '../lead-campaigns.repository.js';
import { type LeadDetails, numbersOf } from '../lead-details.js';
import type { LeadImport, Refusal } from './lead-import.entity.js';
import { LeadImportsRepository } from './lead-imports.repository.js';
import { type IntakeContext, LeadIntakeService } from '../lead-intake.service.js';
import {
  DuplicateLeadError,
  LeadCampaignNotFoundError,
  LeadImportNotFoundError,
  NonsenseFileError,
  TooManyImportsError,
} from '../leads.errors.js';

/** Written at once: preparing more would keep other requests waiting for longer than a slice. */
const BATCH_ROWS = 250;
const MAX_REFUSALS_LISTED = 100;
const MAX_IMPORTS_LISTED = 20;
const MAX_TRIES = 5;
/** So many wrong rows in a row are no list of leads. Numbers that the campaign has already are not wrong. */
const MAX_WRONG_IN_A_ROW = 1_000;
/** How long rows may be read before other requests get a turn; each of them needs several. */
const SLICE_MS = 0.25;
/** An import that has counted nothing for so long died with its process: the server closes slower uploads. */
const STALE_AFTER_MS = 600_000;

/** A row on its way in: a lead, or why it is none. */
type ImportRow = { readonly line: number } & (
  { readonly lead: LeadDetails } | { readonly reason: TextRef<TextKey> }
);

/** Takes CSV files into campaigns, row by row as they arrive and batch by batch into the database. */
@Injectable()
export class LeadImportsService {
  /** In this process, whose time is what an import takes. */
  private readonly running = new ConcurrentUse();

  constructor(
    private readonly imports: LeadImportsRepository,
    private readonly campaigns: LeadCampaignsRepository,
    private readonly intake: LeadIntakeService,
    private readonly transactions: Transactions,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Takes the rows of a file. A row that cannot be taken is refused alone; what was taken stays, whatever happens to
   * the rest of the file.
   *
   * @throws LeadCampaignNotFoundError, ValidationFailedError for a wrong header, TooManyImportsError, NonsenseFileError,
   * and the errors of {@link CsvUpload}
   */
  async run(
    userId: number,
    campaignId: number,
    upload: CsvUpload,
    query: ImportLeadsQuery,
  ): Promise<LeadImport> {
    const into = await this.intake.contextOf(userId, campaignId, query.allow_dupplicate ?? false);
    const leave = this.running.tryEnter(new Map([[String(userId), this.limits.importsPerAccount]]));
    if (!leave) throw new TooManyImportsError(this.limits.importsPerAccount);
    try {
      const source = await upload.open();
      if (!source) throw ValidationFailedError.of('file', 'validation.required');
      try {
        return await this.take(source, into);
      } finally {
        await source.release();
      }
    } finally {
      leave();
    }
  }

  /** @throws LeadImportNotFoundError */
  async get(userId: number, campaignId: number, id: number): Promise<LeadImport> {
    const job = await this.imports.find(userId, campaignId, id);
    if (!job) throw new LeadImportNotFoundError();
    return withStaleness(job);
  }

  /** The newest imports of a campaign, running ones among them. @throws LeadCampaignNotFoundError */
  async list(userId: number, campaignId: number): Promise<LeadImport[]> {
    if (!(await this.campaigns.find(userId, campaignId))) throw new LeadCampaignNotFoundError();
    const jobs = await this.imports.listOf(userId, campaignId, MAX_IMPORTS_LISTED);
    return jobs.map(withStaleness);
  }

  private async take(source: CsvSource, into: IntakeContext): Promise<LeadImport> {
    const file = await CsvFile.open(source.chunks);
    const columns = LeadColumns.of(file.header, into.country);
    if (!(columns instanceof LeadColumns)) throw new ValidationFailedError([columns]);
    const { id } = await this.imports.begin(into.userId, into.campaign.id, source.fileName);
    try {
      return await this.takeRows(id, rowsOf(file, columns), into);
    } catch (error) {
      await this.imports.end(into.userId, id, failureOf(error));
      throw error;
    }
  }

  /** @throws NonsenseFileError */
  private async takeRows(
    importId: number,
    rows: AsyncIterable<ImportRow>,
    into: IntakeContext,
  ): Promise<LeadImport> {
    const batch: ImportRow[] = [];
    let refused = 0;
    let wrongInARow = 0;
    for await (const row of rows) {
      batch.push(row);
      wrongInARow = 'lead' in row ? 0 : wrongInARow + 1;
      const isNonsense = wrongInARow === MAX_WRONG_IN_A_ROW;
      if (batch.length < BATCH_ROWS && !isNonsense) continue;
      refused += await this.takeBatch(importId, batch.splice(0), into, MAX_REFUSALS_LISTED - refused);
      if (!isNonsense) continue;
      const { imported } = await this.get(into.userId, into.campaign.id, importId);
      throw new NonsenseFileError({ line: row.line, rows: wrongInARow, imported });
    }
    return this.takeLast(importId, batch, into, MAX_REFUSALS_LISTED - refused);
  }

  /** Adds a batch and counts it, in one transaction. Returns how many rows were refused. */
  private takeBatch(
    importId: number,
    rows: readonly ImportRow[],
    into: IntakeContext,
    listable: number,
  ): Promise<number> {
    return this.commit((tx) => this.addBatch(importId, rows, into, listable, tx));
  }

  /** The same with the end of the import in it: after the commit there is nothing left that could fail. */
  private takeLast(
    importId: number,
    rows: readonly ImportRow[],
    into: IntakeContext,
    listable: number,
  ): Promise<LeadImport> {
    return this.commit(async (tx) => {
      await this.addBatch(importId, rows, into, listable, tx);
      await this.imports.end(into.userId, importId, null, tx);
      const job = await this.imports.find(into.userId, into.campaign.id, importId, tx);
      if (!job) throw new LeadImportNotFoundError();
      return job;
    });
  }

  private async commit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transactions.runDecided(work);
      } catch (error) {
        // Another request added one of the numbers meanwhile: looking again refuses that row alone.
        if (!(error instanceof DuplicateLeadError) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  private async addBatch(
    importId: number,
    rows: readonly ImportRow[],
    into: IntakeContext,
    listable: number,
    tx: Tx,
  ): Promise<number> {
    const numbers = rows.flatMap((row) => ('lead' in row ? numbersOf(row.lead) : []));
    const taken = await this.intake.findRefused(into, numbers, tx);
    const leads: LeadDetails[] = [];
    const refusals: Refusal[] = [];
    for (const row of rows) {
      const reason = 'lead' in row ? duplicateIn(row.lead, taken, into.duplicatesAllowed) : row.reason;
      if (reason) refusals.push({ line: row.line, reason });
      else if ('lead' in row) leads.push(row.lead);
    }
    if (leads.length > 0) await this.intake.add(into, leads, tx);
    await this.imports.count(
      into.userId,
      importId,
      {
        imported: leads.length,
        refused: refusals.length,
        refusals: refusals.slice(0, Math.max(0, listable)),
      },
      tx,
    );
    return refusals.length;
  }
}

const INTERRUPTED = 'leads.import_interrupted';

function failureOf(error: unknown): TextKey {
  if (error instanceof NonsenseFileError) return 'leads.import_nonsense';
  return error instanceof DomainError ? error.text.key : INTERRUPTED;
}

async function* rowsOf(file: CsvFile, columns: LeadColumns): AsyncGenerator<ImportRow> {
  const slice = new TimeSlice(SLICE_MS);
  for await (const records of file.records()) {
    for (const record of records) {
      const row = toRow(record, columns);
      if (row) yield row;
    }
    if (slice.isOver()) await slice.rest();
  }
}

function toRow(record: CsvRecord, columns: LeadColumns): ImportRow | null {
  const { line } = record;
  if ('refused' in record) {
    return { line, reason: text(record.refused === 'quotes' ? 'leads.row_quotes' : 'leads.row_too_long') };
  }
  const row = columns.read(record.fields);
  if (!row) return null;
  return 'lead' in row ? { line, lead: row.lead } : { line, reason: row.refused };
}

/** Why the lead's numbers are not new; if they are, they are taken from here on. */
function duplicateIn(
  lead: LeadDetails,
  taken: Set<string>,
  duplicatesAllowed: boolean,
): TextRef<TextKey> | null {
  if (duplicatesAllowed) return null;
  const own = new Set<string>();
  for (const phone of numbersOf(lead)) {
    if (taken.has(phone) || own.has(phone)) return text('leads.row_duplicate', { phone });
    own.add(phone);
  }
  for (const phone of own) taken.add(phone);
  return null;
}

function withStaleness(job: LeadImport): LeadImport {
  const isStale = job.status === 'processing' && Date.now() - job.updatedAt.getTime() > STALE_AFTER_MS;
  if (isStale) Object.assign(job, { status: 'failed', failure: INTERRUPTED } satisfies Partial<LeadImport>);
  return job;
}
