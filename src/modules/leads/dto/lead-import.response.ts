import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableOf, NullableText } from '../../../common/http/response-fields.js';
import { reply } from '../../../common/http/reply.js';
import { render, text } from '../../../i18n/catalogue.js';
import type { Language } from '../../../i18n/text.js';
import {
  hasKeptRefusals,
  LEAD_IMPORT_STATUSES,
  type LeadImport,
  type LeadImportStatus,
  type Refusal,
} from '../imports/lead-import.entity.js';
import type { FileColumns, ImportPreview } from '../imports/lead-imports.service.js';

class RefusalResponse {
  @ApiProperty({ type: 'integer', description: 'Where the row begins in the file; the header is line 1' })
  declare line: number;

  @ApiProperty({ example: 'A coluna phone_number não é um número de telefone válido', description: 'Why' })
  declare reason: string;
}

class ImportVariablesResponse {
  @ApiProperty({
    type: [String],
    description: 'Placeholders of the prompt, the first words and the tools of the assistant',
    example: ['nome', 'valor'],
  })
  declare used: readonly string[];

  @ApiProperty({ type: [String], description: 'Columns of the file that fill them', example: ['Nome'] })
  declare filled: readonly string[];

  @ApiProperty({
    type: [String],
    description: 'Placeholders that neither a column nor a default of the assistant fills',
    example: ['valor'],
  })
  declare missing: readonly string[];
}

export class LeadImportResponse {
  @NullableInteger({ description: 'Null for a preview' })
  declare id: number | null;

  @ApiProperty({ type: 'integer', description: 'Id of the campaign' })
  declare campaign_id: number;

  @ApiProperty({ enum: LEAD_IMPORT_STATUSES, description: 'State' })
  declare status: LeadImportStatus;

  @NullableText({ description: 'Name of the file; null when it was sent without one', example: 'leads.csv' })
  declare file_name: string | null;

  @ApiProperty({ type: 'integer', description: 'Rows read so far: imported and refused' })
  declare rows: number;

  @ApiProperty({ type: 'integer', description: 'Rows that became leads' })
  declare imported: number;

  @ApiProperty({ type: 'integer', description: 'Rows that were not imported, with the reason' })
  declare refused: number;

  @ApiProperty({ type: [RefusalResponse], description: 'The first refused rows' })
  declare refusals: RefusalResponse[];

  @ApiProperty({ type: 'integer', description: 'Refused rows that are not listed' })
  declare refusals_omitted: number;

  @NullableText({
    description:
      'Where all refused rows can be downloaded as a CSV file, with the same key; null without any, and after 7 days',
    example: '/api/user/campaigns/1/leads/imports/7/refusals',
  })
  declare refusals_url: string | null;

  @NullableOf(
    ImportVariablesResponse,
    'Which placeholders the file fills; null for an import of an earlier release',
  )
  declare variables: ImportVariablesResponse | null;

  @NullableText({ description: 'What ended the import early', example: 'Não encontrado' })
  declare error: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

class FileColumnResponse {
  @ApiProperty({ description: 'As the first row has it', example: 'Nome completo' })
  declare name: string;

  @ApiProperty({ type: [String], description: 'Values of the next rows', example: ['Ana Souza'] })
  declare samples: readonly string[];
}

export class LeadFileColumnsResponse {
  @NullableText({ description: 'Name of the file; null when it was sent without one', example: 'leads.csv' })
  declare file_name: string | null;

  @ApiProperty({ type: [FileColumnResponse], description: 'In the order of the file' })
  declare columns: readonly FileColumnResponse[];

  @ApiProperty({ description: 'Whether the first row has a phone number in it, and so holds no names' })
  declare first_row_is_lead: boolean;
}

export function toLeadImportResponse(job: LeadImport, language: Language): LeadImportResponse {
  return {
    id: job.id,
    campaign_id: job.campaignId,
    status: job.status,
    file_name: job.fileName,
    rows: job.imported + job.refused,
    imported: job.imported,
    refused: job.refused,
    refusals: job.refusals.map((refusal) => toRefusalResponse(refusal, language)),
    refusals_omitted: job.refused - job.refusals.length,
    refusals_url: hasKeptRefusals(job) ? refusalsPath(job) : null,
    variables: job.variables,
    error: job.failure === null ? null : render(text(job.failure), language),
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
  };
}

/** What an import did, or would do with the first rows. */
export function importReply(
  result: LeadImport | ImportPreview,
  language: Language,
): { message: string; data: LeadImportResponse } {
  return 'id' in result
    ? reply('leads.imported', toLeadImportResponse(result, language))
    : reply('leads.import_previewed', toPreviewResponse(result, language));
}

function toPreviewResponse(preview: ImportPreview, language: Language): LeadImportResponse {
  const now = new Date().toISOString();
  return {
    id: null,
    campaign_id: preview.campaignId,
    status: 'completed',
    file_name: preview.fileName,
    rows: preview.imported + preview.refusals.length,
    imported: preview.imported,
    refused: preview.refusals.length,
    refusals: preview.refusals.map((refusal) => toRefusalResponse(refusal, language)),
    refusals_omitted: 0,
    refusals_url: null,
    variables: preview.variables,
    error: null,
    created_at: now,
    updated_at: now,
  };
}

export function toLeadFileColumnsResponse(file: FileColumns): LeadFileColumnsResponse {
  return { file_name: file.fileName, columns: file.columns, first_row_is_lead: file.firstRowIsLead };
}

function toRefusalResponse({ line, reason }: Refusal, language: Language): RefusalResponse {
  return { line, reason: render(reason, language) };
}

function refusalsPath({ campaignId, id }: LeadImport): string {
  return `/api/user/campaigns/${campaignId}/leads/imports/${id}/refusals`;
}
