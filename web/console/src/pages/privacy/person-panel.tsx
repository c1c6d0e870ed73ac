import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { erasePersonalData } from '#client/sdk.gen.js';
import type { EraseRequest } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { Form } from '../../components/inputs/form.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import { ErasureProgress } from './erasure-progress.js';
import { useExport } from './use-export.js';

const route = getRouteApi('/shell/privacy');
const MAX_NUMBER = 64;
const KEEP = { keep_do_not_call: true, keep_documents: false };

/** Exports or erases the data of one phone number. */
export function PersonPanel() {
  const t = useTexts('privacy').person;
  const fieldErrors = useFieldErrors();
  const { erasure } = route.useSearch();
  const [phone, setPhone] = useState('');
  const [keep, setKeep] = useState(KEEP);
  const [isAsking, asking] = useDisclosure(false);
  const load = useExport();
  const erase = useErase({ phone_number: phone.trim(), ...keep }, asking.close);
  const refusal = fieldErrors(load.error).phone_number ?? fieldErrors(erase.error).phone_number;
  const forget = () => {
    load.reset();
    erase.reset();
  };
  const change = (typed: string) => {
    setPhone(typed);
    forget();
    // A refusal only hides the question. It must not come back with a number that is half typed.
    asking.close();
  };
  const ask = () => {
    // The question does not open over an earlier refusal.
    forget();
    asking.open();
  };
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Form onSubmit={() => load.mutate(phone.trim())}>
        <Stack>
          <TextInput
            type="tel"
            label={t.phone}
            description={t.phoneText}
            placeholder="+55 11 99876-5432"
            value={phone}
            maxLength={MAX_NUMBER}
            maw="24rem"
            required
            withAsterisk={false}
            autoComplete="off"
            error={refusal}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
          {load.error && !refusal && <Problem error={load.error} />}
          <Group gap="sm">
            <Button
              type="submit"
              variant="default"
              leftSection={<Download size={16} aria-hidden="true" />}
              loading={load.isPending}
              disabled={phone.trim() === ''}
            >
              {t.export}
            </Button>
            <Button
              color="red"
              variant="light"
              leftSection={<Trash2 size={16} aria-hidden="true" />}
              disabled={phone.trim() === ''}
              onClick={ask}
            >
              {t.erase}
            </Button>
          </Group>
        </Stack>
      </Form>
      <ConfirmDialog
        opened={isAsking && !refusal}
        onClose={asking.close}
        title={t.eraseTitle(phone.trim())}
        action={t.erase}
        mutation={erase}
      >
        {t.eraseText}
        <KeepFields keep={keep} onChange={setKeep} />
      </ConfirmDialog>
      {erasure !== undefined && <ErasureProgress id={erasure} />}
    </Panel>
  );
}

interface KeepProps {
  readonly keep: typeof KEEP;
  readonly onChange: (keep: typeof KEEP) => void;
}

function KeepFields({ keep, onChange }: KeepProps) {
  const t = useTexts('privacy').person;
  return (
    <Stack gap="sm" mt="md" role="group" aria-label={t.keep}>
      <Checkbox
        label={t.keepDoNotCall}
        description={t.keepDoNotCallText}
        checked={keep.keep_do_not_call}
        onChange={({ currentTarget }) => onChange({ ...keep, keep_do_not_call: currentTarget.checked })}
      />
      <Checkbox
        label={t.keepDocuments}
        description={t.keepDocumentsText}
        checked={keep.keep_documents}
        onChange={({ currentTarget }) => onChange({ ...keep, keep_documents: currentTarget.checked })}
      />
    </Stack>
  );
}

function useErase(body: EraseRequest, onBegun: () => void) {
  const navigate = route.useNavigate();
  return useMutation({
    mutationFn: () => dataOf(erasePersonalData, { body }),
    onSuccess: async ({ data: { id } }) => {
      onBegun();
      await navigate({ search: { erasure: id }, resetScroll: false });
    },
  });
}
