import { Param, type PipeTransform } from '@nestjs/common';
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
export const IdParam = (name = 'id') => Param(name, toId);

/** A path id, as a UUID. */
export const UuidParam = (name = 'uuid') => Param(name, toUuid);
