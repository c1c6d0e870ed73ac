import {
  CreateToolRequestSchema,
  HeaderRequestSchema,
  ParameterRequestSchema,
  StaticFieldRequestSchema,
} from '#client/rules.gen.js';
import type { ToolResponse } from '#client/types.gen.js';
import type { Schema } from '../../forms/rules.js';
import { useSchemaForm, type Values } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';

const TOOL: Schema = CreateToolRequestSchema;
export const PARAMETER: Readonly<Record<string, Schema>> = ParameterRequestSchema.properties;
export const HEADER: Readonly<Record<string, Schema>> = HeaderRequestSchema.properties;
export const FIELD: Readonly<Record<string, Schema>> = StaticFieldRequestSchema.properties;

/** Headers and fixed fields may have empty values; `required` applies to their names. */
const mayBeEmpty = (schema: Schema): Schema => ({
  ...schema,
  required: schema.required?.filter((name) => name !== 'value') ?? [],
});

const DEFINITIONS = {
  ParameterRequest: ParameterRequestSchema as Schema,
  HeaderRequest: mayBeEmpty(HeaderRequestSchema),
  StaticFieldRequest: mayBeEmpty(StaticFieldRequestSchema),
};

export function useToolForm(tool: ToolResponse | null) {
  const t = useTexts('tools');
  return useSchemaForm(TOOL, tool ? valuesOf(tool) : newValues(), {
    definitions: DEFINITIONS,
    extra: ({ schema }) => repeatedNames(schema, t.twice),
  });
}

function newValues(): Values {
  return {
    ...Object.fromEntries(
      Object.entries(TOOL.properties ?? {}).map(([name, schema]) => [name, schema.default ?? '']),
    ),
    method: 'GET',
    schema: [],
    headers: [],
    static_fields: [],
  };
}

function valuesOf(tool: ToolResponse): Values {
  const all = tool as unknown as Values;
  return Object.fromEntries(Object.keys(TOOL.properties ?? {}).map((name) => [name, all[name]]));
}

function repeatedNames(schema: unknown, text: string): Record<string, string> {
  const names = (schema as readonly { readonly name: string }[]).map(({ name }) => name);
  const repeated = names.flatMap((name, at) => (name !== '' && names.indexOf(name) < at ? [at] : []));
  return Object.fromEntries(repeated.map((at) => [`schema.${at}.name`, text]));
}
