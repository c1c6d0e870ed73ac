import { ApiProperty } from '@nestjs/swagger';

/** Of which days figures are. */
export class AnalyticsPeriodResponse {
  @ApiProperty({
    description: 'The time zone of the account, whose days these are',
    example: 'America/Sao_Paulo',
  })
  declare timezone: string;

  @ApiProperty({ format: 'date', description: 'First day' })
  declare from: string;

  @ApiProperty({ format: 'date', description: 'Last day' })
  declare to: string;
}
