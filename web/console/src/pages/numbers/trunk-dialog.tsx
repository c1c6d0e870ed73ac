import { Alert, Modal } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CreateSipTrunkRequestSchema, UpdateSipTrunkRequestSchema } from '#client/rules.gen.js';
import { createSipTrunk, getSipTrunk, updateSipTrunk } from '#client/sdk.gen.js';
import type {
  CreateSipTrunkRequest,
  SipTrunkDetailsResponse,
  UpdateSipTrunkRequest,
} from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Loaded } from '../../components/states/loaded.js';
import { SchemaDialogForm } from '../../forms/dialog-form.js';
import { ChoiceField, NumberField, TagsField, TextField } from '../../forms/fields.js';
import { useField, useSchemaForm, type Values } from '../../forms/schema-form.js';
import { FieldGrid } from '../../forms/section.js';
import { useTexts } from '../../texts/texts.js';
import { OutboundProxyField } from './outbound-proxy-field.js';
import { wideRangesOf } from './wide-ranges.js';

interface Props {
  /** Null for a new one. */
  readonly id: number | null;
  readonly onClose: () => void;
}

export function TrunkDialog({ id, onClose }: Props) {
  const t = useTexts('numbers');
  return (
    <Modal opened onClose={onClose} size="lg" title={id === null ? t.trunks.add : t.trunks.edit}>
      {id === null ? <TrunkForm trunk={null} onClose={onClose} /> : <StoredTrunk id={id} onClose={onClose} />}
    </Modal>
  );
}

function StoredTrunk({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const trunk = useQuery({
    queryKey: ['sip-trunks', id],
    queryFn: async ({ signal }) => (await dataOf(getSipTrunk, { path: { id }, signal })).data,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return <Loaded query={trunk}>{(data) => <TrunkForm trunk={data} onClose={onClose} />}</Loaded>;
}

function TrunkForm({
  trunk,
  onClose,
}: {
  readonly trunk: SipTrunkDetailsResponse | null;
  readonly onClose: () => void;
}) {
  const t = useTexts('numbers');
  const { actions } = useTexts('common');
  const schemaForm = useSchemaForm(
    trunk ? UpdateSipTrunkRequestSchema : CreateSipTrunkRequestSchema,
    trunk ? valuesOf(trunk) : NEW,
  );
  const save = useSave(trunk, schemaForm, onClose);
  return (
    <SchemaDialogForm
      schemaForm={schemaForm}
      texts={t.fields}
      submit={actions.save}
      isDisabled={!schemaForm.form.isDirty()}
      mutation={save}
    >
      <TrunkFields isNew={trunk === null} />
    </SchemaDialogForm>
  );
}

function TrunkFields({ isNew }: { readonly isNew: boolean }) {
  const t = useTexts('numbers');
  const byAddress = useField('inbound_authorization_type').value === 'ip';
  const addresses = useField('allowed_inbound_ips').value;
  const wide = wideRangesOf(Array.isArray(addresses) ? addresses : null);
  return (
    <>
      <FieldGrid>
        {isNew && <ChoiceField name="sip_trunk_type" />}
        <TextField name="phone_number" mono />
        <TextField name="country_code" mono />
      </FieldGrid>
      <TextField name="nickname" />
      <TextField name="sip_address" mono />
      <FieldGrid>
        <TextField name="sip_username" />
        <TextField name="sip_password" type="password" />
      </FieldGrid>
      <FieldGrid>
        <ChoiceField name="sip_calling_format" />
        <ChoiceField name="inbound_authorization_type" />
      </FieldGrid>
      {byAddress && <TagsField name="allowed_inbound_ips" />}
      {byAddress && wide.length > 0 && <Alert color="amber">{t.trunks.wideRanges(wide.join(', '))}</Alert>}
      <ChoiceField name="media_encryption" />
      <NumberField name="max_parallel_calls" />
      <OutboundProxyField />
    </>
  );
}

const NEW: Values = {
  sip_trunk_type: 'number',
  phone_number: '',
  nickname: null,
  sip_username: '',
  sip_password: '',
  sip_address: '',
  sip_calling_format: '+e164',
  inbound_authorization_type: 'auth',
  allowed_inbound_ips: null,
  country_code: 'BR',
  outbound_proxy: false,
  media_encryption: 'allowed',
  max_parallel_calls: null,
};

function valuesOf(trunk: SipTrunkDetailsResponse): Values {
  const all = trunk as unknown as Values;
  const names = Object.keys(NEW).filter((name) => name !== 'sip_trunk_type');
  // The API never returns the password; an empty field keeps it.
  return Object.fromEntries(names.map((name) => [name, name === 'sip_password' ? '' : all[name]]));
}

function useSave(
  trunk: SipTrunkDetailsResponse | null,
  { form, showRefusal }: ReturnType<typeof useSchemaForm>,
  onDone: () => void,
) {
  const t = useTexts('numbers');
  return useMutation({
    mutationFn: async (values: Values): Promise<unknown> => {
      if (!trunk) {
        const body = values as unknown as CreateSipTrunkRequest;
        return dataOf(createSipTrunk, { body });
      }
      const changed = Object.entries(values).filter(([name]) => form.isDirty(name));
      const body = Object.fromEntries(changed) as UpdateSipTrunkRequest;
      return dataOf(updateSipTrunk, { path: { id: trunk.id }, body });
    },
    meta: { saved: t.trunks.saved, changes: [['phone-numbers']] },
    onSuccess: onDone,
    onError: (error) => void showRefusal(error),
  });
}
