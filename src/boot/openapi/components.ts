import type { OpenAPIObject, OperationObject, ResponseObject } from '@nestjs/swagger';
import { COMPONENT } from '../../common/http/named-schema.js';
import { nameEnums } from './enum-components.js';
import { operationsOf } from './operations.js';
import { pascalCase } from './pascal-case.js';

/**
 * Moves schemas, enums and error bodies that operations share to the components of the document, so that a generated client
 * has one type for each. The last step: those before it find every body in its place.
 */
export function nameComponents(document: OpenAPIObject): void {
  nameSchemas(document);
  nameEnums(document);
  nameErrors(document);
}

/** Schemas that carry a name, see `namedSchema`. */
function nameSchemas(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  const schemas = (components.schemas ??= {});
  const move = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(move);
    const moved: Record<string, unknown> = Object.fromEntries(
      Object.entries(value).map(([key, part]): [string, unknown] => [key, move(part)]),
    );
    const { [COMPONENT]: name, ...schema } = moved;
    if (typeof name !== 'string') return moved;
    const known = schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas are called ${name}: rename the class of one of them`);
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  document.paths = move(document.paths) as OpenAPIObject['paths'];
}

interface SharedError {
  readonly status: string;
  readonly response: ResponseObject;
  readonly users: OperationObject[];
}

/** Error responses that two operations or more answer. */
function nameErrors(document: OpenAPIObject): void {
  const shared = new Map<string, SharedError>();
  for (const { operation } of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response || Number(status) < 400 || '$ref' in response) continue;
      const key = `${status} ${JSON.stringify(response)}`;
      const entry = shared.get(key) ?? { status, response, users: [] };
      shared.set(key, { ...entry, users: [...entry.users, operation] });
    }
  }
  const responses: Record<string, ResponseObject> = {};
  for (const { status, response, users } of shared.values()) {
    if (users.length < 2) continue;
    const name = freeName(responses, nameOfError(status, response, users));
    responses[name] = response;
    for (const user of users) user.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  document.components = { ...document.components, responses };
}

/** After the status, the tag where one tag alone has the response, and the shape where it is not the usual one. */
function nameOfError(status: string, response: ResponseObject, users: readonly OperationObject[]): string {
  const tags = new Set(users.flatMap(({ tags: own = [] }) => own));
  const [tag = ''] = tags.size === 1 ? tags : [];
  const schema = response.content?.['application/json']?.schema;
  const shape = schema && '$ref' in schema ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : '';
  const kind = shape.replace(
    /^(Message|ValidationError|TooManyRequests|Error)?Response$|Error(?=Response$)|Response$/g,
    '',
  );
  return `${pascalCase(tag)}${kind}Error${status}`;
}

function freeName(taken: Readonly<Record<string, unknown>>, name: string): string {
  if (!(name in taken)) return name;
  let number = 2;
  while (`${name}Variant${number}` in taken) number += 1;
  return `${name}Variant${number}`;
}
