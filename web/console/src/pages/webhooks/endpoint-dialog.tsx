import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Checkbox, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CreateWebhookEndpointRequestSchema } from '#client/rules.gen.js';
import { createWebhookEndpoint, updateWebhookEndpoint } from '#client/sdk.gen.js';
import type { WebhookEndpointResponse, WebhookEventResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { newKey } from '../../api/new-key.js';
import { Loaded } from '../../components/states/loaded.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import { eventName, eventsQuery } from './events.js';

const { url: URL_RULE, description: DESCRIPTION_RULE } = CreateWebhookEndpointRequestSchema.properties;

interface Values {
  readonly url: string;
  readonly description: string;
  readonly isAll: boolean;
  readonly events: readonly string[];
  readonly enabled: boolean;
}

interface Props {
  /** Null for a new endpoint. */
  readonly endpoint: WebhookEndpointResponse | null;
  readonly onClose: () => void;
  readonly onMade: (endpoint: WebhookEndpointResponse) => void;
}

/** URL, events and status of an endpoint. */
export function EndpointDialog({ endpoint, onClose, onMade }: Props) {
  const { endpoints: t } = useTexts('webhooks');
  const { actions } = useTexts('common');
  const fieldErrors = useFieldErrors();
  const [values, setValues] = useState(() => valuesOf(endpoint));
  // One idempotency key per content, so that a retry does not add a second endpoint.
  const [key, setKey] = useState(newKey);
  const change = (changed: Partial<Values>) => {
    setKey(newKey());
    setValues((now) => ({ ...now, ...changed }));
  };
  const save = useSave(endpoint, key, onMade);
  const errors = fieldErrors(save.error);
  return (
    <Modal opened onClose={onClose} title={endpoint ? t.editTitle : t.add}>
      <DialogForm
        submit={endpoint ? actions.save : actions.create}
        isDisabled={!values.isAll && values.events.length === 0}
        onCancel={onClose}
        mutation={save}
        errors={errors}
        onSubmit={() => save.mutate(values)}
      >
        <TextInput
          type="url"
          label={t.url}
          placeholder="https://"
          value={values.url}
          maxLength={URL_RULE.maxLength}
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
          error={errors.url}
          onChange={({ currentTarget: { value } }) => change({ url: value })}
        />
        <TextInput
          label={t.description}
          placeholder={t.descriptionPlaceholder}
          value={values.description}
          maxLength={DESCRIPTION_RULE.maxLength}
          autoComplete="off"
          error={errors.description}
          onChange={({ currentTarget: { value } }) => change({ description: value })}
        />
        <EventFields values={values} error={errors.events} onChange={change} />
        {endpoint && (
          <Switch
            label={t.enabled}
            description={t.enabledText}
            checked={values.enabled}
            onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
          />
        )}
      </DialogForm>
    </Modal>
  );
}

interface FieldProps {
  readonly values: Values;
  readonly error: string | undefined;
  readonly onChange: (changed: Partial<Values>) => void;
}

function EventFields({ values: { isAll, events }, error, onChange }: FieldProps) {
  const { endpoints: t } = useTexts('webhooks');
  // An endpoint can keep an event of a removed plugin.
  const [stored] = useState(events);
  const known = useQuery(eventsQuery);
  return (
    <>
      <Switch
        label={t.all}
        description={t.allText}
        checked={isAll}
        onChange={({ currentTarget: { checked } }) => onChange({ isAll: checked })}
      />
      {!isAll && (
        <Loaded query={known} lines={3}>
          {(all) => (
            <EventChoice
              offered={offeredOf(all, stored)}
              chosen={events}
              error={error}
              onChange={(chosen) => onChange({ events: chosen })}
            />
          )}
        </Loaded>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

function EventChoice({ offered, chosen, error, onChange }: ChoiceProps) {
  const { endpoints: t } = useTexts('webhooks');
  return (
    <Checkbox.Group
      label={t.which}
      value={[...chosen]}
      error={error}
      onChange={(now) => onChange(offered.filter((event) => now.includes(event)))}
    >
      <Stack gap="xs" mt="xs">
        {offered.map((event) => (
          <Checkbox key={event} value={event} label={eventName(t.events, event)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

const offeredOf = (all: readonly WebhookEventResponse[], stored: readonly string[]) => [
  ...new Set([...all.filter((event) => event.for_endpoints).map(({ kind }) => kind), ...stored]),
];

function useSave(
  endpoint: WebhookEndpointResponse | null,
  key: string,
  onMade: (endpoint: WebhookEndpointResponse) => void,
) {
  return useMutation({
    mutationFn: async ({ isAll, events, enabled, ...texts }: Values) => {
      const body = { ...texts, events: isAll ? null : [...events], enabled };
      const { data } = endpoint
        ? await dataOf(updateWebhookEndpoint, { path: { id: endpoint.id }, body })
        : await dataOf(createWebhookEndpoint, { body, headers: { 'Idempotency-Key': key } });
      return data;
    },
    meta: { changes: [['webhook-endpoints']] },
    onSuccess: onMade,
  });
}

function valuesOf(endpoint: WebhookEndpointResponse | null): Values {
  if (!endpoint) return { url: '', description: '', isAll: true, events: [], enabled: true };
  const { url, description, events, enabled } = endpoint;
  return { url, description, isAll: events === null, events: events ?? [], enabled };
}
