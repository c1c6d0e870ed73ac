/** What a value of the environment may be, in words for the reference. */
export function typeOf(schema) {
  const { description } = schema;
  if (description) return description;
  const { def } = schema._zod;
  if (def.type === 'pipe') {
    if (def.in._zod.def.type === 'transform') return typeOf(def.out);
    return def.out._zod.def.type === 'array' ? `list of ${typeOf(def.out)}` : typeOf(def.in);
  }
  if (def.type === 'optional') return typeOf(def.innerType);
  if (def.type === 'array') return typeOf(def.element);
  if (def.type === 'enum') return Object.values(def.entries).join(', ');
  if (def.type === 'number') return numberType(schema);
  return schema.format === 'email' ? 'e-mail' : 'text';
}

function numberType(schema) {
  const kind = schema.isInt ? 'integer' : 'number';
  return `${kind}, ${schema.minValue} to ${schema.maxValue}`;
}

/** The default as it is written in the environment; empty without one. */
export function defaultOf(schema) {
  // Every schema begins with a preprocess step, which puts the default in place of an empty value.
  const value = schema._zod.def.in._zod.def.transform('', { addIssue() {} });
  return value === undefined ? '' : String(value);
}
