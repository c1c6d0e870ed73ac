import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { updateCampaign } from '#client/sdk.gen.js';
import type { CampaignResponse, UpdateCampaignRequest } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { SchemaDialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useCampaignForm, WhenFields, WhoFields } from './campaign-fields.js';

interface Props {
  readonly campaign: CampaignResponse;
  readonly onClose: () => void;
}

export function EditDialog({ campaign, onClose }: Props) {
  const t = useTexts('campaigns');
  const { actions } = useTexts('common');
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
    meta: { saved: t.actions.saved, changes: [['campaigns']] },
    onSuccess: onClose,
    onError: (error) => void schemaForm.showRefusal(error),
  });
  return (
    <Modal opened onClose={onClose} title={t.form.edit} size="lg">
      <SchemaDialogForm
        schemaForm={schemaForm}
        texts={t.fields}
        submit={actions.save}
        isDisabled={!form.isDirty()}
        onCancel={onClose}
        mutation={save}
      >
        <div>
          <WhoFields />
          <WhenFields />
        </div>
      </SchemaDialogForm>
    </Modal>
  );
}
