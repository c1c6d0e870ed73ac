import { IntegerField } from '../../../common/http/fields.js';
import type { OwnDays } from '../retention/retention.repository.js';

const DAYS = { optional: true, nullable: true, min: 1, max: 3_650 };

export class RetentionRequest {
  @IntegerField({
    ...DAYS,
    description: 'Of numbers, transcripts and variables of calls; null: as the installation',
  })
  declare calls_days?: number | null;

  @IntegerField({ ...DAYS, description: 'Of recordings; null: as the installation' })
  declare recordings_days?: number | null;

  @IntegerField({ ...DAYS, description: 'Of conversations, from their end; null: as the installation' })
  declare conversations_days?: number | null;
}

export function toOwnDays(body: RetentionRequest): Partial<OwnDays> {
  const {
    calls_days: callsDays,
    recordings_days: recordingsDays,
    conversations_days: conversationsDays,
  } = body;
  return { callsDays, recordingsDays, conversationsDays };
}
