import { Alert, Badge, Button, Group, Select, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { testTool } from '#client/sdk.gen.js';
import type { ToolResponse, ToolTestResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Copyable } from '../../components/actions/copyable.js';
import { Form } from '../../components/inputs/form.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { FieldGrid } from '../../forms/section.js';
import { placeholdersIn } from '../../texts/placeholders.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './tool-test.module.css';

interface Props {
  readonly tool: ToolResponse;
  /** The test uses the saved tool. */
  readonly isDirty: boolean;
}

/** Calls the tool as an assistant would, with typed values. */
export function ToolTest({ tool, isDirty }: Props) {
  const { test: t } = useTexts('tools');
  const [args, setArgs] = useState<Readonly<Record<string, string>>>({});
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({});
  const test = useMutation({
    mutationFn: async () => {
      const body = { arguments: args, variables };
      return (await dataOf(testTool, { path: { id: tool.id }, body })).data;
    },
  });
  const named = variablesOf(tool);
  return (
    <div className={classes.test}>
      <Panel title={t.title} subtitle={t.subtitle}>
        <Form onSubmit={() => test.mutate()} className={classes.form}>
          {tool.schema.length + named.length > 0 && (
            <FieldGrid>
              {tool.schema.map((parameter) => (
                <Argument
                  key={parameter.name}
                  parameter={parameter}
                  value={args[parameter.name] ?? ''}
                  onChange={(value) => setArgs((all) => ({ ...all, [parameter.name]: value }))}
                />
              ))}
              {named.map((name) => (
                <TextInput
                  key={name}
                  label={`{{${name}}}`}
                  description={t.variable}
                  value={variables[name] ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    setVariables((all) => ({ ...all, [name]: value }))
                  }
                />
              ))}
            </FieldGrid>
          )}
          <Group gap="sm">
            <Button
              type="submit"
              variant="default"
              leftSection={<Play size={15} />}
              loading={test.isPending}
              disabled={isDirty}
            >
              {t.send}
            </Button>
            {isDirty && <Dimmed>{t.saveFirst}</Dimmed>}
          </Group>
        </Form>
        {test.error && <Problem error={test.error} />}
        <div aria-live="polite">{test.data && <Outcome outcome={test.data} />}</div>
      </Panel>
    </div>
  );
}

interface ArgumentProps {
  readonly parameter: ToolResponse['schema'][number];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Argument({ parameter, value, onChange }: ArgumentProps) {
  const { test: t } = useTexts('tools');
  const { name, type, description, required } = parameter;
  const common = { label: name, description, withAsterisk: required };
  if (type === 'boolean') {
    return (
      <Select
        {...common}
        data={[
          { value: 'true', label: t.yes },
          { value: 'false', label: t.no },
        ]}
        value={value === '' ? null : value}
        clearable
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  }
  return (
    <TextInput
      {...common}
      inputMode={type === 'number' ? 'decimal' : 'text'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Outcome({ outcome: { request, answer, result } }: { readonly outcome: ToolTestResponse }) {
  const { test: t } = useTexts('tools');
  const format = useFormat();
  return (
    <div className={classes.outcome}>
      {request && (
        <Text size="sm" className={classes.request}>
          <Badge color="gray">{request.method}</Badge> {request.url}
        </Text>
      )}
      {answer ? (
        <>
          <Group gap="xs">
            <Badge color={answer.status < 300 ? 'green' : 'red'}>HTTP {answer.status}</Badge>
            <Dimmed className="tabular">{format.number(answer.duration_ms)} ms</Dimmed>
          </Group>
          <Title order={3}>{t.body}</Title>
          <Copyable text={answer.body === '' ? t.empty : answer.body} label={t.body} />
          {answer.truncated && <Dimmed>{t.truncated}</Dimmed>}
        </>
      ) : (
        <Alert color="amber">{request ? t.noAnswer : t.notSent}</Alert>
      )}
      <Title order={3}>{t.result}</Title>
      <Copyable text={result} label={t.result} />
    </div>
  );
}

/** Names of the `{{variables}}` of a conversation. */
function variablesOf({ endpoint, headers, static_fields: fields }: ToolResponse): string[] {
  const texts = [endpoint, ...headers.map(({ value }) => value), ...fields.map(({ value }) => value)];
  return [...new Set(texts.flatMap(placeholdersIn))];
}
