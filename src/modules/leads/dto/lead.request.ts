import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import {
  BooleanField,
  EnumField,
  IdField,
  IntegerQuery,
  ObjectField,
  ObjectsField,
  StringField,
} from '../../../common/http/fields.js';
import { DateQuery } from '../../../common/http/fields/time-fields.js';
import { issueText } from '../../../common/http/fields/field.js';
import { AGE_SORTS, type AgeSort, PageQuery } from '../../../common/http/page.js';
import { ReaderLanguageQuery } from '../../../common/http/requests/reader-language.js';
import { momentsOfDays } from '../../../common/time/zoned-days.js';
import { MAX_SECONDARY_CONTACTS } from '../lead-details.js';
import { LEAD_STATUSES, type LeadStatus, type Variables } from '../lead.entity.js';
import type { LeadFilter } from '../leads.repository.js';

const PHONE_EXAMPLE = '+5511987654321';

/** Refused whenever it is sent: the service alone assigns it. */
function AutomaticStatusField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      enum: [...LEAD_STATUSES],
      required: false,
      description: 'Assigned automatically: sending it is refused',
    }),
    ValidateIf((_object, value) => value !== undefined),
    ValidateBy(
      { name: 'isAutomatic', validator: { validate: () => false } },
      issueText('leads.status_automatic'),
    ),
  );
}

export class SecondaryContactRequest {
  @StringField({ example: PHONE_EXAMPLE, description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @ObjectField({ optional: true, description: 'Values for {{name}} in the texts of the assistant' })
  declare variables?: Variables;
}

export class CreateLeadRequest {
  @IdField({ description: 'Id of the campaign' })
  declare campaign_id: number;

  @StringField({
    description: "E.164, or as written in the account's country",
    example: PHONE_EXAMPLE,
  })
  declare phone_number: string;

  @ObjectField({
    optional: true,
    example: { name: 'Ana' },
    description: 'Values for {{name}} in the texts of the assistant',
  })
  declare variables?: Variables;

  @BooleanField({
    optional: true,
    default: false,
    description: 'Take the number although the campaign has it already',
  })
  declare allow_dupplicate?: boolean;

  @ObjectsField(() => SecondaryContactRequest, {
    optional: true,
    maxItems: MAX_SECONDARY_CONTACTS,
    description: 'Tried in this order when the lead is not reached',
  })
  declare secondary_contacts?: SecondaryContactRequest[];
}

/** All optional; any other field is refused. */
export class UpdateLeadRequest {
  @IdField({ optional: true, description: 'Id of the campaign' })
  declare campaign_id?: number;

  @StringField({
    optional: true,
    example: PHONE_EXAMPLE,
    description: 'International form, with a leading plus sign',
  })
  declare phone_number?: string;

  @AutomaticStatusField()
  declare status?: LeadStatus;

  @ObjectField({ optional: true, description: 'Merged into the variables the lead has' })
  declare variables?: Variables;
}

export class LeadsQuery extends PageQuery {
  @EnumField(LEAD_STATUSES, { optional: true, description: 'Only those in this state' })
  declare status?: LeadStatus;

  @IntegerQuery({ min: 1, description: 'Only of this campaign' })
  declare campaign_id?: number;

  @EnumField(AGE_SORTS, {
    enumName: 'AgeSort',
    optional: true,
    default: 'newest',
    description: 'Which leads come first',
  })
  declare sort?: AgeSort;

  @StringField({ optional: true, max: 40, description: 'Any part of the number' })
  declare phone_number?: string;

  @DateQuery({ description: 'Created on this day or later, in the time zone of the account' })
  declare date_from?: string;

  @DateQuery({ description: 'Created on this day or earlier, in the time zone of the account' })
  declare date_to?: string;
}

/** The same filters for the leads of one campaign, without pages. */
export class LeadsExportQuery extends OmitType(LeadsQuery, ['page', 'per_page', 'campaign_id', 'sort']) {}

/** @param zone in which the days of the query are days */
export function toLeadFilter(
  query: LeadsExportQuery & Pick<LeadsQuery, 'campaign_id'>,
  zone: string,
): LeadFilter {
  return {
    status: query.status,
    campaignId: query.campaign_id,
    phoneNumber: query.phone_number?.replace(/[\s().-]/g, ''),
    created: momentsOfDays(query.date_from, query.date_to, zone),
  };
}

export class ImportLeadsQuery extends ReaderLanguageQuery {
  @BooleanQuery({ default: false, description: 'Take numbers although the campaign has them already' })
  declare allow_dupplicate?: boolean;

  @BooleanQuery({
    default: false,
    description: 'Answer what would be done with the first rows, and store nothing',
  })
  declare preview?: boolean;

  @BooleanQuery({
    description:
      'Whether the first row holds the names of the columns. Without it, it does, unless it has a phone number in it: ' +
      'then the answer is 422. `false` needs the field `columns`',
  })
  declare header?: boolean;
}

function BooleanQuery(options: { default?: boolean; description: string }): PropertyDecorator {
  const words = new Map<unknown, boolean>([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => words.get(value) ?? value),
    BooleanField({ ...options, optional: true }),
  );
}
