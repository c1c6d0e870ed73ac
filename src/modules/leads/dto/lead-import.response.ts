import { ApiProperty } from '@nestjs/swagger';
import { render, say } from '../../../i18n/catalogue.js';
import {
  LEAD_IMPORT_STATUSES,
  type LeadImport,
  type LeadImportStatus,
} from '../imports/lead-import.entity.js';

class RefusalResponse {
  @ApiProperty({ type: 'integer', description: 'Where the row begins in the file; the header is line 1' })
  declare line: number;

  @ApiProperty({ example: 'A coluna phone_number não é um número de telefone válido' })
  declare reason: string;
}

export class LeadImportResponse {
  @ApiProperty({ type: 'integer' })
  declare id: number;

  @ApiProperty({ type: 'integer' })
  declare campaign_id: number;

  @ApiProperty({ enum: LEAD_IMPORT_STATUSES })
  declare status: LeadImportStatus;

  @ApiProperty({ type: String, nullable: true })
  declare file_name: string | null;

  @ApiProperty({ type: 'integer', description: 'Rows read so far: imported and refused' })
  declare rows: number;

  @ApiProperty({ type: 'integer', description: 'Rows that became leads' })
  declare imported: number;

  @ApiProperty({ type: 'integer' })
  declare refused: number;

  @ApiProperty({ type: [RefusalResponse], description: 'The first refused rows' })
  declare refusals: RefusalResponse[];

  @ApiProperty({ type: 'integer', description: 'Refused rows that are not listed' })
  declare refusals_omitted: number;

  @ApiProperty({ type: String, nullable: true, description: 'What ended the import early' })
  declare error: string | null;

  @ApiProperty({ format: 'date-time' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time' })
  declare updated_at: string;
}

export function toLeadImportResponse(job: LeadImport): LeadImportResponse {
  return {
    id: job.id,
    campaign_id: job.campaignId,
    status: job.status,
    file_name: job.fileName,
    rows: job.imported + job.refused,
    imported: job.imported,
    refused: job.refused,
    refusals: job.refusals.map(({ line, reason }) => ({ line, reason: render(reason, 'pt') })),
    refusals_omitted: job.refused - job.refusals.length,
    error: job.failure === null ? null : say(job.failure),
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
  };
}
