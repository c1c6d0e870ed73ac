import { Alert } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { Dimmed } from '../../components/dimmed.js';
import {
  RemoveCredentials,
  TestCredentials,
  useSaveCredentials,
} from '../../components/actions/credentials.js';
import { SchemaDialogForm } from '../../forms/dialog-form.js';
import { TextField } from '../../forms/fields.js';
import type { Schema } from '../../forms/rules.js';
import { type FieldTexts, useSchemaForm, type Values } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

/** Fields that all stored keys share. */
export interface StoredKey {
  /** Masked. */
  readonly api_key: string;
  readonly status: 'active' | 'refused' | 'unreadable';
  readonly refused_at: string | null;
}

type Result = 'ok' | 'refused' | 'forbidden' | 'incompatible' | 'unreachable' | 'unreadable';

interface OwnTexts {
  readonly title: string;
  readonly removeText: string;
  readonly refusedSince: (when: string) => string;
  readonly unreadable: string;
  readonly results: Readonly<Record<Result, string>>;
  readonly fields: Readonly<Record<string, FieldTexts>>;
}

interface Props {
  /** Null where none is stored. */
  readonly stored: StoredKey | null;
  readonly schema: Schema;
  /** Of the fields other than the key. */
  readonly values: Values;
  /** The fields in their order, with their inputs. */
  readonly fields: readonly { readonly name: string; readonly isUrl?: boolean }[];
  readonly texts: OwnTexts;
  readonly save: (values: Values) => Promise<unknown>;
  readonly test: () => Promise<Result>;
  readonly remove: () => Promise<unknown>;
  readonly queryKey: QueryKey;
}

/** Form for an own key: the server stores it after a test and shows it masked. */
export function ModelKeyForm(props: Props) {
  const { stored, schema, values, fields, texts, queryKey } = props;
  const t = { ...useTexts('settings').modelKey, ...texts };
  // The API never returns the key; an empty field keeps it.
  const schemaForm = useSchemaForm(schema, { ...values, api_key: '' });
  const save = useSaveCredentials(schemaForm, {
    secret: 'api_key',
    save: props.save,
    queryKey,
    saved: t.saved,
  });
  return (
    <SchemaDialogForm
      schemaForm={schemaForm}
      texts={t.fields}
      submit={t.submit}
      isDisabled={!schemaForm.form.isDirty()}
      mutation={save}
      aside={stored && <RemoveCredentials texts={t} remove={props.remove} queryKey={queryKey} />}
    >
      {stored && stored.status !== 'active' && <Trouble stored={stored} texts={t} />}
      <TextField name="api_key" type="password" />
      {stored && <Dimmed mt={-8}>{t.stored(stored.api_key)}</Dimmed>}
      {fields.map(({ name, isUrl }) => (
        <TextField key={name} name={name} {...(isUrl ? { type: 'url' as const } : { mono: true })} />
      ))}
      {/* Whether it is refused is known anew. */}
      {stored && <TestCredentials texts={t} test={props.test} queryKey={queryKey} />}
    </SchemaDialogForm>
  );
}

interface TroubleProps {
  readonly stored: StoredKey;
  readonly texts: Pick<OwnTexts, 'refusedSince' | 'unreadable'>;
}

function Trouble({ stored: { status, refused_at: since }, texts }: TroubleProps) {
  const { dateTime } = useFormat();
  return (
    <Alert color="red" role="status">
      {status === 'refused' && since ? texts.refusedSince(dateTime(since)) : texts.unreadable}
    </Alert>
  );
}
