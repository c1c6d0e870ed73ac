import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { ConcurrentUse } from '../../../common/limits/concurrent-use.js';
import { LimitsConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import type { TextKey } from '../../../i18n/catalogue.js';
import { AssistantVariablesService } from '../../assistants/assistant-variables.service.js';
import type { ImportLeadsQuery } from '../dto/lead.request.js';
import { LeadCampaignsRepository } from '../lead-campaigns.repository.js';
import { numbersOf } from '../lead-details.js';
import { type IntakeContext, LeadIntakeService } from '../lead-intake.service.js';
import {
  DuplicateLeadError,
  LeadCampaignNotFoundError,
  LeadImportNotFoundError,
  NonsenseFileError,
  TooManyImportsError,
} from '../leads.errors.js';
import { columnNamesIn } from './file/column-names.js';
import type { LeadUpload } from './file/lead-upload.js';
import { openTable } from './file/open-table.js';
import type { TableFile } from './file/table-record.js';
import { type ImportRow, rowsOf, type SortedRows, sortRows } from './import-rows.js';
import { importVariables } from './import-variables.js';
import { headerOf, isLead, type LeadHeader } from './lead-header.js';
import type { ImportVariables, LeadImport, Refusal } from './lead-import.entity.js';
import { LeadImportsRepository } from './lead-imports.repository.js';
import { LeadRefusalsRepository } from './refusals/lead-refusals.repository.js';

/** Written at once: preparing more would keep other requests waiting for longer than a slice. */
const BATCH_ROWS = 250;
const MAX_REFUSALS_LISTED = 100;
const MAX_IMPORTS_LISTED = 20;
const MAX_TRIES = 5;
/** So many wrong rows in a row are no list of leads. Numbers that the campaign has already are not wrong. */
const MAX_WRONG_IN_A_ROW = 1_000;
/** Of an import, to be downloaded. */
const MAX_REFUSALS_KEPT = 100_000;
/** What a preview reads. */
const PREVIEW_ROWS = 100;
/** What is shown of the beginning of a file. */
const SAMPLE_ROWS = 3;
/** An import that has counted nothing for so long died with its process: the server closes slower uploads. */
const STALE_AFTER_MS = 600_000;

/** An import that is going on. */
interface Running {
  readonly id: number;
  readonly into: IntakeContext;
  readonly header: LeadHeader;
}

/** What an import would do with the first rows of a file. */
export interface ImportPreview {
  readonly campaignId: number;
  readonly fileName: string | null;
  readonly imported: number;
  readonly refusals: readonly Refusal[];
  readonly variables: ImportVariables;
}

/** The columns of a file, before anything is known of their meaning. */
export interface FileColumns {
  readonly fileName: string | null;
  readonly columns: readonly { readonly name: string; readonly samples: readonly string[] }[];
  readonly firstRowIsLead: boolean;
}

/** A file that was opened for an import. */
interface OpenFile {
  readonly table: TableFile;
  readonly fileName: string | null;
  readonly names: readonly string[] | null;
}

/** Takes files of leads into campaigns, row by row as they arrive and batch by batch into the database. */
@Injectable()
export class LeadImportsService {
  /** In this process, whose time is what an import takes. */
  private readonly running = new ConcurrentUse();

  constructor(
    private readonly imports: LeadImportsRepository,
    private readonly refusals: LeadRefusalsRepository,
    private readonly campaigns: LeadCampaignsRepository,
    private readonly intake: LeadIntakeService,
    private readonly variables: AssistantVariablesService,
    private readonly transactions: Transactions,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Imports the rows of a file. A row that cannot be imported is refused alone. Imported rows stay, even if the rest
   * of the file fails. A preview reads the first rows and stores nothing.
   *
   * @throws LeadCampaignNotFoundError, ValidationFailedError for a wrong header, TooManyImportsError, NonsenseFileError,
   * and the errors of {@link LeadUpload} and {@link openTable}
   */
  async run(
    userId: number,
    campaignId: number,
    upload: LeadUpload,
    query: ImportLeadsQuery,
  ): Promise<LeadImport | ImportPreview> {
    const into = await this.intake.contextOf(userId, campaignId, query.allow_dupplicate ?? false);
    return this.withFile<LeadImport | ImportPreview>(userId, upload, async (file) => {
      const header = this.headerOf(file, into, query);
      const variables = await this.variablesOf(header, into);
      if (query.preview) return this.preview(file, into, header, variables);
      const { fileName, table } = file;
      const { id } = await this.imports.begin(userId, campaignId, {
        fileName,
        columns: header.columns.names,
        variables,
      });
      try {
        return await this.takeRows({ id, into, header }, rowsOf(table, header));
      } catch (error) {
        await this.imports.end(userId, id, failureOf(error));
        throw error;
      }
    });
  }

  /** The columns of a file with some of their values, so that a person can say what they mean. Stores nothing. */
  async readColumns(userId: number, campaignId: number, upload: LeadUpload): Promise<FileColumns> {
    const { country } = await this.intake.contextOf(userId, campaignId, false);
    return this.withFile(userId, upload, async ({ table, fileName }) => {
      const { first } = table;
      if (first === null || !('fields' in first))
        throw ValidationFailedError.of('file', 'leads.import_no_header');
      const samples: (readonly string[])[] = [];
      for await (const records of table.records()) {
        samples.push(...records.flatMap((record) => ('fields' in record ? [record.fields] : [])));
        if (samples.length >= SAMPLE_ROWS) break;
      }
      const columns = columnNamesIn(first.fields).map((name, at) => ({
        name,
        samples: samples.slice(0, SAMPLE_ROWS).map((fields) => fields[at] ?? ''),
      }));
      return { fileName, columns, firstRowIsLead: isLead(first, country) };
    });
  }

  /** @throws LeadImportNotFoundError */
  async get(userId: number, campaignId: number, id: number): Promise<LeadImport> {
    const job = (await this.imports.find(userId, campaignId, id)) ?? LeadImportNotFoundError.throw();
    return withStaleness(job);
  }

  /** The newest imports of a campaign, running ones among them. @throws LeadCampaignNotFoundError */
  async list(userId: number, campaignId: number): Promise<LeadImport[]> {
    if (!(await this.campaigns.find(userId, campaignId))) throw new LeadCampaignNotFoundError();
    const jobs = await this.imports.listOf(userId, campaignId, MAX_IMPORTS_LISTED);
    return jobs.map(withStaleness);
  }

  private async withFile<T>(
    userId: number,
    upload: LeadUpload,
    use: (file: OpenFile) => Promise<T>,
  ): Promise<T> {
    const leave = this.running.tryEnter(new Map([[String(userId), this.limits.importsPerAccount]]));
    if (!leave) throw new TooManyImportsError(this.limits.importsPerAccount);
    try {
      const source = await upload.open();
      if (!source) throw ValidationFailedError.of('file', 'validation.required');
      try {
        const names = namesGiven(source.fields);
        const table = await openTable(source.chunks);
        try {
          return await use({ table, fileName: source.fileName, names });
        } finally {
          await table.close();
        }
      } finally {
        await source.release();
      }
    } finally {
      leave();
    }
  }

  private async preview(
    { table, fileName }: OpenFile,
    into: IntakeContext,
    header: LeadHeader,
    variables: ImportVariables,
  ): Promise<ImportPreview> {
    const rows: ImportRow[] = [];
    for await (const row of rowsOf(table, header)) if (rows.push(row) === PREVIEW_ROWS) break;
    const { leads, refused } = await this.sort(rows, into, header);
    const campaignId = into.campaign.id;
    return { campaignId, fileName, imported: leads.length, refusals: refused.map(toRefusal), variables };
  }

  private headerOf(
    { table, names }: OpenFile,
    { country }: IntakeContext,
    query: ImportLeadsQuery,
  ): LeadHeader {
    const header = headerOf(table, { header: query.header, names, country });
    if (!('columns' in header)) throw new ValidationFailedError([header]);
    return header;
  }

  private async variablesOf({ columns }: LeadHeader, into: IntakeContext): Promise<ImportVariables> {
    const used = await this.variables.namesUsed(into.userId, into.campaign.assistantId);
    return importVariables(used, columns.variableNames, into.defaults);
  }

  /** @throws NonsenseFileError */
  private async takeRows(running: Running, rows: AsyncIterable<ImportRow>): Promise<LeadImport> {
    const { id, into } = running;
    const batch: ImportRow[] = [];
    let refused = 0;
    let wrongInARow = 0;
    for await (const row of rows) {
      batch.push(row);
      wrongInARow = 'lead' in row ? 0 : wrongInARow + 1;
      const isNonsense = wrongInARow === MAX_WRONG_IN_A_ROW;
      if (batch.length < BATCH_ROWS && !isNonsense) continue;
      const taken = batch.splice(0);
      const before = refused;
      refused += await this.commit((tx) => this.addBatch(running, taken, before, tx));
      if (!isNonsense) continue;
      const { imported } = await this.get(into.userId, into.campaign.id, id);
      throw new NonsenseFileError({ line: row.line, rows: wrongInARow, imported });
    }
    return this.takeLast(running, batch, refused);
  }

  /** Adds a batch with the end of the import: after the commit there is nothing left that could fail. */
  private takeLast(running: Running, rows: readonly ImportRow[], refused: number): Promise<LeadImport> {
    const { id, into } = running;
    return this.commit(async (tx) => {
      await this.addBatch(running, rows, refused, tx);
      await this.imports.end(into.userId, id, null, tx);
      const job = await this.imports.find(into.userId, into.campaign.id, id, tx);
      if (!job) throw new LeadImportNotFoundError();
      return job;
    });
  }

  private async commit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transactions.runWithVerifiedCommit(work);
      } catch (error) {
        // Another request has added one of the numbers since: looking again refuses that row alone.
        if (!(error instanceof DuplicateLeadError) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  /**
   * Adds a batch and counts it. Returns how many rows were refused.
   *
   * @param refusedBefore how many rows of the file were refused already
   */
  private async addBatch(
    { id, into, header }: Running,
    rows: readonly ImportRow[],
    refusedBefore: number,
    tx: Tx,
  ): Promise<number> {
    const { userId } = into;
    const { leads, refused } = await this.sort(rows, into, header, tx);
    if (leads.length > 0) await this.intake.add(into, leads, tx);
    await this.refusals.add(userId, id, refused.slice(0, Math.max(0, MAX_REFUSALS_KEPT - refusedBefore)), tx);
    const listed = refused.slice(0, Math.max(0, MAX_REFUSALS_LISTED - refusedBefore)).map(toRefusal);
    const batch = { imported: leads.length, refused: refused.length, refusals: listed };
    await this.imports.count(userId, id, batch, tx);
    return refused.length;
  }

  private async sort(
    rows: readonly ImportRow[],
    into: IntakeContext,
    { columns }: LeadHeader,
    tx?: Tx,
  ): Promise<SortedRows> {
    const numbers = rows.flatMap((row) => ('lead' in row ? numbersOf(row.lead) : []));
    const taken = await this.intake.findRefused(into, numbers, tx);
    return sortRows(rows, into.duplicatesAllowed ? null : taken, columns);
  }
}

const INTERRUPTED = 'leads.import_interrupted';

function failureOf(error: unknown): TextKey {
  if (error instanceof NonsenseFileError) return 'leads.import_nonsense';
  return error instanceof DomainError ? error.text.key : INTERRUPTED;
}

function toRefusal({ line, reason }: Refusal): Refusal {
  return { line, reason };
}

/** @throws ValidationFailedError for names that are no list */
function namesGiven({ columns }: Readonly<Record<string, string>>): readonly string[] | null {
  if (columns === undefined) return null;
  const names = parsedNames(columns);
  if (!names) throw ValidationFailedError.of('columns', 'leads.import_columns_format');
  return names;
}

function parsedNames(json: string): string[] | null {
  try {
    const names: unknown = JSON.parse(json);
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : null;
  } catch {
    return null;
  }
}

function withStaleness(job: LeadImport): LeadImport {
  const isStale = job.status === 'processing' && Date.now() - job.updatedAt.getTime() > STALE_AFTER_MS;
  if (isStale) Object.assign(job, { status: 'failed', failure: INTERRUPTED } satisfies Partial<LeadImport>);
  return job;
}
