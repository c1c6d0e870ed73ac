import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsEnum,
  IsHexColor,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { ValidationFailedError } from '../errors/errors.js';
import { renderIssues } from '../errors/error-filter.js';
import { RequestValidationPipe } from './validation.pipe.js';

enum Size {
  Small = 'small',
  Large = 'large',
}

class Address {
  @Length(2, 3)
  declare country: string;
}

class CardRequest {
  @MaxLength(5)
  @IsString()
  declare name: string;

  @IsOptional()
  @IsInt()
  @Max(10)
  declare points?: number;

  @IsOptional()
  @IsIn(['gold', 'silver'])
  declare kind?: string;

  @IsOptional()
  @IsEnum(Size)
  declare size?: Size;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  declare tags?: string[];

  @IsOptional()
  @IsHexColor()
  declare color?: string;

  @IsOptional()
  @MaxLength(1, { message: 'One letter only' })
  declare letter?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Address)
  declare address?: Address;
}

async function textsOf(body: object, language: 'pt' | 'en' = 'en') {
  try {
    await new RequestValidationPipe().transform(body, { type: 'body', metatype: CardRequest });
    return {};
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return renderIssues(error.issues, language).fields;
  }
}

describe("class-validator's own rules", () => {
  it('answer their text in the language of the answer', async () => {
    expect(await textsOf({ name: 'toolong' }, 'pt')).toEqual({
      name: ['O campo name não pode ter mais de 5 caracteres.'],
    });
    expect(await textsOf({ name: 1 })).toEqual({ name: ['The name field must be a string.'] });
  });

  it.each<[object, string, string]>([
    [{ points: 11 }, 'points', 'The points field must not be greater than 10.'],
    [{ points: 'x' }, 'points', 'The points field must not be greater than 10.'],
    [{ kind: 'lead' }, 'kind', 'The kind field must be one of: gold, silver.'],
    [{ size: 'huge' }, 'size', 'The size field must be one of: small, large.'],
    [{ tags: ['a', 1, 'b', 2] }, 'tags.1', 'The tags.1 field must be a string.'],
    [
      { address: { country: 'B' } },
      'address.country',
      'The address.country field must be at least 2 characters.',
    ],
    [
      { address: { country: 'BRAZ' } },
      'address.country',
      'The address.country field must not be greater than 3 characters.',
    ],
  ])('answer the limits of %j', async (fields, place, words) => {
    expect(await textsOf({ name: 'Ana', ...fields })).toMatchObject({ [place]: [words] });
  });

  it('answer the words of their author, and English words where the catalogue has no text', async () => {
    expect(await textsOf({ name: 'Ana', letter: 'ab', color: 'red' }, 'pt')).toEqual({
      letter: ['One letter only'],
      color: ['color must be a hexadecimal color'],
    });
  });
});
