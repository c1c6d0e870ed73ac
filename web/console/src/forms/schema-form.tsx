import { useForm, type UseFormReturnType } from '@mantine/form';
import { createContext, type PropsWithChildren, useCallback, useContext, useMemo } from 'react';
import { useTexts } from '../texts/texts.js';
import { useFieldErrors } from '../texts/use-error-text.js';
import { useFormat } from '../texts/use-format.js';
import { type Definitions, findIssues, type Issue, type Schema } from './rules.js';

/** Values by the names of the API. */
export type Values = Record<string, unknown>;

/** Words of one field. */
export interface FieldTexts {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly options?: Readonly<Record<string, string>>;
}

export interface SchemaForm {
  readonly form: UseFormReturnType<Values>;
  readonly schema: Schema;
  /** Puts what the API refuses at its fields. @returns names of the fields, none where it was no such refusal */
  readonly showRefusal: (error: unknown) => readonly string[];
}

type ExtraRules = (values: Values) => Readonly<Record<string, string>>;

/** A form that is held to the limits of a request of the API while it is filled in. */
export function useSchemaForm(
  schema: Schema,
  initialValues: Values,
  { definitions, extra }: { readonly definitions?: Definitions; readonly extra?: ExtraRules } = {},
): SchemaForm {
  const issueText = useIssueText();
  const fieldErrors = useFieldErrors();
  const form = useForm<Values>({
    initialValues,
    validateInputOnChange: true,
    validate: (values) => ({
      ...Object.fromEntries(
        [...findIssues(schema, values, definitions)].map(([path, issue]) => [path, issueText(issue)]),
      ),
      ...extra?.(values),
    }),
  });
  const { setErrors } = form;
  const showRefusal = useCallback(
    (error: unknown) => {
      const errors = fieldErrors(error);
      setErrors(errors);
      return Object.keys(errors);
    },
    [fieldErrors, setErrors],
  );
  return { form, schema, showRefusal };
}

export function useIssueText(): (issue: Issue) => string {
  const { issues } = useTexts('forms');
  const format = useFormat();
  return useCallback(
    (issue: Issue) =>
      'limit' in issue ? issues[issue.kind](format.number(issue.limit), issue.limit) : issues[issue.kind](),
    [issues, format],
  );
}

interface Fields extends SchemaForm {
  readonly texts: Readonly<Record<string, FieldTexts>>;
}

const FieldsContext = createContext<Fields | null>(null);

/** Gives the fields inside their form, their limits and their words. */
export function SchemaFields({
  schemaForm: { form, schema, showRefusal },
  texts,
  children,
}: PropsWithChildren<{ schemaForm: SchemaForm; texts: Fields['texts'] }>) {
  const value = useMemo(() => ({ form, schema, showRefusal, texts }), [form, schema, showRefusal, texts]);
  return <FieldsContext value={value}>{children}</FieldsContext>;
}

/** One field: `name` is its path in the values, `textName` and its schema go by the last word unless given. */
export function useField(name: string, own?: Schema) {
  const fields = useContext(FieldsContext);
  if (!fields) throw new Error('outside of SchemaFields');
  const { form, schema, texts } = fields;
  const rule = own ?? schema.properties?.[name] ?? {};
  const words = texts[name.replaceAll(/\.\d+/g, '')] ??
    texts[name.split('.').at(-1) ?? name] ?? { label: name };
  const { value, error } = form.getInputProps(name) as { value: unknown; error?: string };
  const set = (next: unknown) => form.setFieldValue(name, next);
  const required = schema.required?.includes(name) ?? false;
  return { value, error, set, rule, words, required };
}
