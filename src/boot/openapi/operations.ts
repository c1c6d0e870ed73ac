import type { OpenAPIObject, OperationObject, PathItemObject } from '@nestjs/swagger';

const METHODS = [
  'get',
  'post',
  'put',
  'patch',
  'delete',
] as const satisfies readonly (keyof PathItemObject)[];

interface DocumentedOperation {
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly operation: OperationObject;
}

/** Every operation of the document with its path template. */
export function operationsOf({ paths }: OpenAPIObject): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );
}
