import { Button, Modal } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { PutTwilioAccountRequestSchema } from '#client/rules.gen.js';
import {
  deleteTwilioAccount,
  getTwilioAccount,
  putTwilioAccount,
  testTwilioAccount,
} from '#client/sdk.gen.js';
import type { PutTwilioAccountRequest, TwilioAccountResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import {
  RemoveCredentials,
  TestCredentials,
  useSaveCredentials,
} from '../../components/actions/credentials.js';
import { Loaded } from '../../components/states/loaded.js';
import { SchemaDialogForm } from '../../forms/dialog-form.js';
import { TextField } from '../../forms/fields.js';
import { useSchemaForm } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

/** Null where none is stored. */
const twilioAccountQuery = queryOptions({
  queryKey: ['twilio-account'],
  queryFn: async ({ signal }) => (await dataOf(getTwilioAccount, { signal })).data,
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
});

interface Props {
  /** Opens the import of numbers. */
  readonly onAdopt: () => void;
  readonly onClose: () => void;
}

/** The account's own Twilio credentials. */
export function TwilioDialog({ onAdopt, onClose }: Props) {
  const t = useTexts('numbers').twilio;
  const stored = useQuery(twilioAccountQuery);
  return (
    <Modal opened onClose={onClose} title={t.title}>
      <Dimmed mb="md">{t.text}</Dimmed>
      <Loaded query={stored} lines={3}>
        {(account) => (
          <AccountForm key={account?.updated_at} account={account} onAdopt={onAdopt} onClose={onClose} />
        )}
      </Loaded>
    </Modal>
  );
}

interface FormProps extends Props {
  readonly account: TwilioAccountResponse | null;
}

function AccountForm({ account, onAdopt, onClose }: FormProps) {
  const t = useTexts('numbers').twilio;
  const { actions } = useTexts('common');
  const schemaForm = useSchemaForm(PutTwilioAccountRequestSchema, {
    account_sid: account?.account_sid ?? '',
    // The API never returns the token; an empty field keeps it.
    auth_token: '',
    label: account?.label ?? null,
  });
  const save = useSaveCredentials(schemaForm, {
    secret: 'auth_token',
    save: (values) => dataOf(putTwilioAccount, { body: values as PutTwilioAccountRequest }),
    queryKey: twilioAccountQuery.queryKey,
    saved: t.saved,
  });
  return (
    <SchemaDialogForm
      schemaForm={schemaForm}
      texts={t.fields}
      submit={actions.save}
      isDisabled={!schemaForm.form.isDirty()}
      mutation={save}
      aside={
        account && (
          <RemoveCredentials
            texts={t}
            remove={() => dataOf(deleteTwilioAccount, {})}
            queryKey={twilioAccountQuery.queryKey}
            onDone={onClose}
          />
        )
      }
    >
      <TextField name="account_sid" mono />
      <TextField name="auth_token" type="password" />
      {account && <Stored account={account} />}
      <TextField name="label" />
      {account && (
        <TestCredentials texts={t} test={async () => (await dataOf(testTwilioAccount, {})).data.result}>
          <Button variant="default" onClick={onAdopt}>
            {t.adopt}
          </Button>
        </TestCredentials>
      )}
    </SchemaDialogForm>
  );
}

function Stored({ account: { previous_expires_at: until } }: { readonly account: TwilioAccountResponse }) {
  const t = useTexts('numbers').twilio;
  const { dateTime } = useFormat();
  return (
    <Dimmed mt={-8}>
      {t.stored} {until && t.oldUntil(dateTime(until))}
    </Dimmed>
  );
}
