import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam, type ApiParamOptions } from '@nestjs/swagger';
import { MAX_INTEGER, UUID } from './fields.js';

/** No row has these: what is not an id is answered exactly as an id that is not there. */
const NO_ID = 0;
const NO_UUID = '00000000-0000-0000-0000-000000000000';

const toId: PipeTransform<string, number> = {
  transform: (value) =>
    /^[1-9]\d{0,9}$/.test(value) && Number(value) <= MAX_INTEGER ? Number(value) : NO_ID,
};

const toUuid: PipeTransform<string, string> = {
  transform: (value) => (UUID.test(value) ? value.toLowerCase() : NO_UUID),
};

/** A path id, as an integer. */
export const IdParam = (
  name = 'id',
  description = `Id of the ${name.replace(/Id$/, '').replace(/^id$/, 'resource')}`,
) =>
  documented(Param(name, toId), {
    name,
    description,
    schema: { type: 'integer', minimum: 1, maximum: MAX_INTEGER },
    example: 1,
  });

/** A path id, as a UUID. */
export const UuidParam = (name = 'uuid', description = 'UUID of the conversation, or of the assistant') =>
  documented(Param(name, toUuid), {
    name,
    description,
    schema: { type: 'string', format: 'uuid' },
    example: '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f',
  });

/** One of a few names; null for any other. */
export const NameParam = <Name extends string>(name: string, names: readonly Name[], description: string) =>
  documented(
    Param(name, {
      transform: (value: string): Name | null => names.find((each) => each === value) ?? null,
    }),
    { name, description, schema: { type: 'string', enum: [...names] }, example: names[0] },
  );

/** Reads the parameter and says in the document what it is, which the type alone does not. */
function documented(read: ParameterDecorator, options: ApiParamOptions): ParameterDecorator {
  return (target, key, index) => {
    read(target, key, index);
    const method = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && method) ApiParam(options)(target, key, method);
  };
}
