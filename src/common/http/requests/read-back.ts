import type { Type } from '@nestjs/common';

const READ_BACK = Symbol('response that is sent back');
/** Where the document of the API keeps the fields of a class, each with a colon before its name. */
const DOCUMENTED_FIELDS = 'swagger/apiModelPropertiesArray';

/**
 * On a route that changes a resource: the response in which the resource is read. Clients read it, change a field and send all of
 * it back, so its read-only fields are no mistake.
 */
export function ReadBack(response: Type<object>): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(READ_BACK, response, descriptor.value as object);
  };
}

/** Names of the fields in which the resource of a route is read. */
export function readBackFields(route: Function): string[] {
  const response = Reflect.getMetadata(READ_BACK, route) as Type<object> | undefined;
  if (!response) return [];
  const fields = Reflect.getMetadata(DOCUMENTED_FIELDS, response.prototype as object) as string[] | undefined;
  return (fields ?? []).map((name) => name.slice(1));
}
