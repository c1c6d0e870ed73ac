import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { createTool, deleteTool, updateTool } from '#client/sdk.gen.js';
import type { CreateToolRequest, ToolResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { toolsQuery } from '../../catalog/queries.js';
import { useLeaveDeleted } from '../../components/actions/use-leave-deleted.js';
import { Loaded } from '../../components/states/loaded.js';
import { Editable, IfAllowed } from '../../components/if-allowed.js';
import { NoPage } from '../../components/page/page-failure.js';
import { Page } from '../../components/page/page.js';
import { Problem } from '../../components/states/problem.js';
import { AreaField, ChoiceField, NumberField, SwitchField, TextField } from '../../forms/fields.js';
import { LeaveGuard } from '../../forms/leave-guard.js';
import { ListField } from '../../forms/list-field.js';
import { SchemaFields } from '../../forms/schema-form.js';
import { FieldGrid, FormSection } from '../../forms/section.js';
import { useTexts } from '../../texts/texts.js';
import { FIELD, HEADER, PARAMETER, useToolForm } from './tool-form.js';
import { ToolTest } from './tool-test.js';
import { ConfirmButton } from '../../components/actions/confirm-button.js';
import { BackLink } from '../../components/page/back-link.js';
import { Form } from '../../components/inputs/form.js';

const route = getRouteApi('/shell/tools/$id');

export function NewToolPage() {
  return <Editor tool={null} />;
}

export function ToolPage() {
  const id = Number(route.useParams().id);
  // The list contains all fields of each tool.
  const tools = useQuery(toolsQuery);
  return (
    <Loaded query={tools} lines={10}>
      {(all) => {
        const tool = all.find((one) => one.id === id);
        return tool ? <Editor key={id} tool={tool} /> : <NoPage />;
      }}
    </Loaded>
  );
}

function Editor({ tool }: { readonly tool: ToolResponse | null }) {
  const t = useTexts('tools');
  const { actions } = useTexts('common');
  const schemaForm = useToolForm(tool);
  const { form } = schemaForm;
  const save = useSave(tool, schemaForm);
  const submit = () => {
    if (!form.validate().hasErrors) save.mutate(form.values as unknown as CreateToolRequest);
  };
  return (
    <Page
      title={tool?.name ?? t.add}
      subtitle={<BackLink to="/tools" text={t.title} />}
      actions={
        <IfAllowed scope="admin">
          {tool && <DeleteButton tool={tool} />}
          <Button type="submit" form="tool" loading={save.isPending} disabled={!form.isDirty()}>
            {tool ? actions.save : actions.create}
          </Button>
        </IfAllowed>
      }
    >
      {save.error && Object.keys(form.errors).length === 0 && <Problem error={save.error} />}
      <SchemaFields schemaForm={schemaForm} texts={t.fields}>
        <Form id="tool" onSubmit={submit} noValidate>
          <Editable scope="admin">
            <ToolFields />
          </Editable>
        </Form>
      </SchemaFields>
      <IfAllowed scope="admin">{tool && <ToolTest tool={tool} isDirty={form.isDirty()} />}</IfAllowed>
      <LeaveGuard isDirty={form.isDirty() && !save.isPending} />
    </Page>
  );
}

function ToolFields() {
  const t = useTexts('tools');
  return (
    <>
      <FormSection title={t.sections.what.title}>
        <TextField name="name" mono />
        <AreaField name="description" />
      </FormSection>
      <FormSection title={t.sections.request.title} hint={t.sections.request.hint}>
        <TextField name="endpoint" type="url" mono />
        <FieldGrid>
          <ChoiceField name="method" />
          <ChoiceField name="body_format" />
          <NumberField name="timeout" unit="seconds" />
        </FieldGrid>
      </FormSection>
      <FormSection title={t.sections.parameters.title} hint={t.sections.parameters.hint}>
        <ListField
          name="schema"
          add={t.addParameter}
          remove={t.remove}
          blank={{ name: '', type: 'string', description: '', required: true }}
        >
          {(path) => (
            <>
              <TextField name={`${path}.name`} schema={PARAMETER.name ?? {}} mono />
              <ChoiceField name={`${path}.type`} schema={PARAMETER.type ?? {}} />
              <TextField name={`${path}.description`} schema={PARAMETER.description ?? {}} />
              <SwitchField name={`${path}.required`} schema={PARAMETER.required ?? {}} />
            </>
          )}
        </ListField>
      </FormSection>
      <FormSection title={t.sections.headers.title}>
        <ListField name="headers" add={t.addHeader} remove={t.remove} blank={{ name: '', value: '' }}>
          {(path) => (
            <>
              <TextField name={`${path}.name`} schema={HEADER.name ?? {}} mono />
              <TextField name={`${path}.value`} schema={HEADER.value ?? {}} mono />
            </>
          )}
        </ListField>
      </FormSection>
      <FormSection title={t.sections.fixed.title} hint={t.sections.fixed.hint}>
        <ListField name="static_fields" add={t.addField} remove={t.remove} blank={{ key: '', value: '' }}>
          {(path) => (
            <>
              <TextField name={`${path}.key`} schema={FIELD.key ?? {}} mono />
              <TextField name={`${path}.value`} schema={FIELD.value ?? {}} mono />
            </>
          )}
        </ListField>
      </FormSection>
    </>
  );
}

function useSave(tool: ToolResponse | null, { form, showRefusal }: ReturnType<typeof useToolForm>) {
  const t = useTexts('tools');
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: CreateToolRequest) =>
      tool
        ? (await dataOf(updateTool, { path: { id: tool.id }, body })).data
        : (await dataOf(createTool, { body })).data,
    meta: { saved: t.saved },
    onSuccess: async (stored, sent) => {
      form.resetDirty(sent);
      await queries.invalidateQueries({ queryKey: ['tools'] });
      // Page on which the tool can be tested.
      if (!tool) await navigate({ to: '/tools/$id', params: { id: String(stored.id) }, ignoreBlocker: true });
    },
    onError: (error) => void showRefusal(error),
  });
}

function DeleteButton({ tool }: { readonly tool: ToolResponse }) {
  const t = useTexts('tools');
  const leave = useLeaveDeleted('/tools', ['tools'], ['tools', tool.id]);
  return (
    <ConfirmButton
      label={t.delete}
      title={t.deleteTitle(tool.name)}
      variant="subtle"
      action={() => dataOf(deleteTool, { path: { id: tool.id } })}
      onDone={leave}
    >
      {t.deleteText}
    </ConfirmButton>
  );
}
