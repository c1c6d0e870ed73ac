import { Injectable } from '@nestjs/common';
import { BoundedExports } from '../../../common/csv/bounded-exports.js';
import type { CsvCell } from '../../../common/csv/csv-cell.js';
import type { CsvExport } from '../../../common/csv/csv-export.js';
import { toPlainTimestamp } from '../../../common/time/zoned-days.js';
import { type LeadsExportQuery, toLeadFilter } from '../dto/lead.request.js';
import { LeadCampaignsRepository } from '../lead-campaigns.repository.js';
import { type ExportedLead, LeadExportsRepository } from './lead-exports.repository.js';
import { LeadCampaignNotFoundError } from '../leads.errors.js';

/** Columns by the names that the API gives its fields. */
const COLUMNS: Readonly<Record<string, (lead: ExportedLead, zone: string) => CsvCell>> = {
  id: ({ id }) => id,
  parent_id: ({ parentId }) => parentId,
  phone_number: ({ phoneNumber }) => phoneNumber,
  status: ({ status }) => status,
  created_at: ({ createdAt }, zone) => toPlainTimestamp(createdAt, zone),
  updated_at: ({ updatedAt }, zone) => toPlainTimestamp(updatedAt, zone),
};
/** A column each; the other variables stand together in one of their own. */
const MAX_VARIABLE_COLUMNS = 100;
const OTHER_VARIABLES = 'other_variables';

/** The leads of a campaign as a file. */
@Injectable()
export class LeadExportsService {
  private readonly exports = new BoundedExports();

  constructor(
    private readonly leads: LeadExportsRepository,
    private readonly campaigns: LeadCampaignsRepository,
  ) {}

  /**
   * Of all that the list of the campaign shows with the same filters, newest first, each variable in a column.
   *
   * @param zone of the days of the query and of the written times
   * @throws LeadCampaignNotFoundError | ExportTooLargeError | TooManyExportsError
   */
  async begin(userId: number, campaignId: number, query: LeadsExportQuery, zone: string): Promise<CsvExport> {
    if (!(await this.campaigns.find(userId, campaignId))) throw new LeadCampaignNotFoundError();
    const filter = { ...toLeadFilter(query, zone), campaignId };
    const rows = await this.leads.count(userId, filter);
    const names = await this.leads.variableNames(userId, filter, MAX_VARIABLE_COLUMNS + 1);
    const shown = names.slice(0, MAX_VARIABLE_COLUMNS);
    const hasOthers = names.length > shown.length;
    return this.exports.begin(userId, {
      fileName: `campaign-${campaignId}-leads`,
      header: [...Object.keys(COLUMNS), ...shown.map(headerOf), ...(hasOthers ? [OTHER_VARIABLES] : [])],
      rows,
      read: (after, limit) => this.leads.after(userId, filter, after, limit),
      placeOf: ({ place, id }) => ({ createdAt: place, id }),
      toCells: (lead) => [
        ...Object.values(COLUMNS).map((cellOf) => cellOf(lead, zone)),
        ...shown.map((name) => cellOf(lead.variables, name)),
        ...(hasOthers ? [othersOf(lead.variables, new Set(shown))] : []),
      ],
    });
  }
}

/** A variable that is named like a field. */
function headerOf(name: string): string {
  return Object.hasOwn(COLUMNS, name) || name === OTHER_VARIABLES ? `variables.${name}` : name;
}

function cellOf(variables: ExportedLead['variables'], name: string): CsvCell {
  const value = Object.hasOwn(variables, name) ? variables[name] : null;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return JSON.stringify(value);
}

function othersOf(variables: ExportedLead['variables'], shown: ReadonlySet<string>): CsvCell {
  const others = Object.entries(variables).filter(([name]) => !shown.has(name));
  return others.length === 0 ? null : JSON.stringify(Object.fromEntries(others));
}
