import type { OpenAPIObject } from '@nestjs/swagger';

const UPDATE = /^Update\w+Request$/;

/**
 * Takes the defaults out of the bodies of updates, which have them from the bodies of creation: what an update leaves out stays
 * as it is, and a client that fills in defaults would set it back.
 */
export function dropDefaultsOfUpdates({ components }: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
    if (!UPDATE.test(name) || '$ref' in schema) continue;
    for (const property of Object.values(schema.properties ?? {})) {
      if (!('$ref' in property)) delete property.default;
    }
  }
}
