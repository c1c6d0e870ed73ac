import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMinSize, ArrayUnique, IsArray, IsDefined, ValidateIf } from 'class-validator';
import { type Weekday, WEEKDAYS } from '../../time/weekdays.js';
import { EachItem, issueText } from './field.js';

interface WeekdaysOptions {
  readonly description: string;
  readonly optional?: boolean;
  /** Documented only, as of the other fields. */
  readonly default?: readonly Weekday[];
}

/** Distinct days of the week, at least one. */
export function WeekdaysField({ optional = false, ...docs }: WeekdaysOptions): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', enum: [...WEEKDAYS] },
      minItems: 1,
      uniqueItems: true,
      required: !optional,
      ...docs,
    }),
    ValidateIf((_object, value) => !(optional && value === undefined)),
    ...(optional ? [] : [IsDefined(issueText('validation.required'))]),
    IsArray(issueText('validation.array')),
    ArrayMinSize(1, issueText('validation.min_items', { min: 1 })),
    EachItem('areDays', (day) => WEEKDAYS.some((each) => each === day), 'validation.one_of', {
      values: WEEKDAYS.join(', '),
    }),
    ArrayUnique(issueText('validation.distinct')),
  );
}
