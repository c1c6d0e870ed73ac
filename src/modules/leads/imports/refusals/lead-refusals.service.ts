import { Injectable } from '@nestjs/common';
import { BoundedExports } from '#src/common/csv/bounded-exports.js';
import type { CsvExport } from '#src/common/csv/csv-export.js';
import { render, text } from '#src/i18n/catalogue.js';
import type { Language } from '#src/i18n/text.js';
import { Handles } from '#src/queues/workers/handles.js';
import { LeadRefusalsNotFoundError } from '../../leads.errors.js';
import { LeadImportsRepository } from '../lead-imports.repository.js';
import { hasKeptRefusals, REFUSALS_KEPT_DAYS } from '../lead-import.entity.js';
import { LeadRefusalsRepository } from './lead-refusals.repository.js';
import { sweepLeadRefusalsJob } from './sweep-lead-refusals.job.js';

/** The rows that imports refused, as files. */
@Injectable()
export class LeadRefusalsService {
  private readonly exports = new BoundedExports();

  constructor(
    private readonly refusals: LeadRefusalsRepository,
    private readonly imports: LeadImportsRepository,
  ) {}

  /**
   * The refused rows of an import in the order of its file, each with its line and the reason before what was in the file.
   *
   * @throws LeadRefusalsNotFoundError for an import that refused nothing, or that is older than they are kept
   * @throws TooManyExportsError
   */
  async begin(userId: number, campaignId: number, importId: number, language: Language): Promise<CsvExport> {
    const job = await this.imports.find(userId, campaignId, importId);
    if (!job || !hasKeptRefusals(job)) throw new LeadRefusalsNotFoundError();
    const rows = await this.refusals.count(userId, importId);
    return this.exports.begin(userId, {
      fileName: `import-${importId}-refused`,
      header: [...headerIn(language), ...(job.columns ?? [])],
      rows,
      read: (after, limit) => this.refusals.after(userId, importId, after?.id ?? 0, limit),
      placeOf: ({ line }) => ({ createdAt: '', id: line }),
      toCells: ({ line, reason, fields }) => [line, render(reason, language), ...fields],
    });
  }

  /** Forgets what is older than it is kept. */
  @Handles(sweepLeadRefusalsJob)
  async sweep(): Promise<void> {
    while (await this.refusals.deleteSomeOlderThan(REFUSALS_KEPT_DAYS));
  }
}

function headerIn(language: Language): string[] {
  return [
    render(text('leads.refused_line_column'), language),
    render(text('leads.refusal_reason_column'), language),
  ];
}
