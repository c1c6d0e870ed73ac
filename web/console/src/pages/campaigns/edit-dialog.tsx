import { Button, Group, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { updateCampaign } from '#client/sdk.gen.js';
import type { CampaignResponse, UpdateCampaignRequest } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Problem } from '../../components/states/problem.js';
import { SchemaFields } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';
import { useCampaignForm, WhenFields, WhoFields } from './campaign-fields.js';

interface Props {
  readonly campaign: CampaignResponse;
  readonly onClose: () => void;
}

export function EditDialog({ campaign, onClose }: Props) {
  const t = useTexts('campaigns');
  const { actions } = useTexts('common');
  const queries = useQueryClient();
  const schemaForm = useCampaignForm(campaign);
  const { form } = schemaForm;
  const save = useMutation({
    // Sends changed fields only: another member may have changed the others.
    mutationFn: () =>
      dataOf(updateCampaign, {
        path: { id: campaign.id },
        body: Object.fromEntries(
          Object.entries(form.values).filter(([name]) => form.isDirty(name)),
        ) as UpdateCampaignRequest,
      }),
    onSuccess: async () => {
      notifications.show({ message: t.actions.saved, color: 'green' });
      await queries.invalidateQueries({ queryKey: ['campaigns'] });
      onClose();
    },
    onError: (error) => void schemaForm.showRefusal(error),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.validate().hasErrors) save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.form.edit} size="lg">
      <SchemaFields schemaForm={schemaForm} texts={t.fields}>
        <form onSubmit={submit} noValidate>
          <WhoFields />
          <WhenFields />
          {save.error && Object.keys(form.errors).length === 0 && <Problem error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {actions.cancel}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {actions.save}
            </Button>
          </Group>
        </form>
      </SchemaFields>
    </Modal>
  );
}
