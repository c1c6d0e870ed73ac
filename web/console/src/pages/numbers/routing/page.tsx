import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { updateNumberRouting } from '#client/sdk.gen.js';
import type { NumberRoutingResponse, RoutedPhoneNumberResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { phoneNumbersQuery } from '../../../catalog/queries.js';
import { Form } from '../../../components/inputs/form.js';
import { NoPage } from '../../../components/page/page-failure.js';
import { Page } from '../../../components/page/page.js';
import { useRoutingWords } from '../../../components/routing/routing-words.js';
import { Loaded } from '../../../components/states/loaded.js';
import { Problem } from '../../../components/states/problem.js';
import { LeaveGuard } from '../../../forms/leave-guard.js';
import { SchemaFields } from '../../../forms/schema-form.js';
import { useTexts } from '../../../texts/texts.js';
import { LastLookups } from './last-lookups.js';
import { routingQuery } from './queries.js';
import { RoutingFields } from './routing-fields.js';
import { RoutingTest } from './routing-test.js';
import { type RoutingForm, useRoutingForm } from './use-routing-form.js';
import { changesOf } from './values.js';
import { BackLink } from '../../../components/page/back-link.js';

const route = getRouteApi('/shell/numbers/$id');

/** Who answers the calls of a number. */
export function NumberRoutingPage() {
  const id = Number(route.useParams().id);
  const numbers = useQuery(phoneNumbersQuery);
  return (
    <Loaded query={numbers} lines={8}>
      {(all) => {
        // Numbers of other accounts and caller IDs have no routing.
        const number = all.find((each) => each.id === id && each.routing !== null);
        return number ? <NumberRouting key={id} number={number} /> : <NoPage />;
      }}
    </Loaded>
  );
}

function NumberRouting({ number }: { readonly number: RoutedPhoneNumberResponse }) {
  const routing = useQuery(routingQuery(number.id));
  return (
    <Loaded query={routing} lines={8}>
      {(data) => <Editor number={number} routing={data} />}
    </Loaded>
  );
}

interface Props {
  readonly number: RoutedPhoneNumberResponse;
  readonly routing: NumberRoutingResponse;
}

function Editor({ number, routing }: Props) {
  const t = useTexts('numberRouting');
  const { title: numbersTitle } = useTexts('numbers');
  const { actions } = useTexts('common');
  const words = useRoutingWords();
  const routingForm = useRoutingForm(routing);
  const { form } = routingForm.schemaForm;
  const hasLookup = routing.lookup_url !== null;
  const save = useSave(number.id, routing, routingForm);
  const submit = () => {
    if (!form.validate().hasErrors) save.mutate();
  };
  return (
    <Page
      title={t.title(number.phone_number)}
      subtitle={
        <Group gap="sm">
          <BackLink to="/numbers" text={numbersTitle} />
          {number.nickname && <span>{number.nickname}</span>}
        </Group>
      }
      actions={
        <Button type="submit" form="routing" loading={save.isPending} disabled={!form.isDirty()}>
          {actions.save}
        </Button>
      }
    >
      <Text fw={500} role="status">
        {words.now(routing.now)}
      </Text>
      {save.error && Object.keys(form.errors).length === 0 && <Problem error={save.error} />}
      <SchemaFields schemaForm={routingForm.schemaForm} texts={t.fields}>
        <Form id="routing" onSubmit={submit} noValidate>
          <RoutingFields form={form} values={routingForm.values} />
        </Form>
      </SchemaFields>
      <RoutingTest phoneNumberId={number.id} isDirty={form.isDirty()} hasLookup={hasLookup} />
      {hasLookup && <LastLookups phoneNumberId={number.id} />}
      <LeaveGuard isDirty={form.isDirty() && !save.isPending} />
    </Page>
  );
}

function useSave(id: number, stored: NumberRoutingResponse, { schemaForm, values }: RoutingForm) {
  const t = useTexts('numberRouting');
  const queries = useQueryClient();
  const { form, showRefusal } = schemaForm;
  return useMutation({
    mutationFn: async () => {
      const sent = form.values;
      const body = changesOf(values, stored, (name) => form.isDirty(name));
      const { data } = await dataOf(updateNumberRouting, { path: { id }, body });
      return { sent, saved: data };
    },
    meta: { saved: t.saved },
    onSuccess: async ({ sent, saved }) => {
      form.resetDirty(sent);
      queries.setQueryData(routingQuery(id).queryKey, saved);
      // The list shows who answers now.
      await queries.invalidateQueries({ queryKey: phoneNumbersQuery.queryKey, exact: true });
    },
    onError: (error) => void showRefusal(error),
  });
}
