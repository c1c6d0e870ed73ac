import { Box, Button, Group, Stack } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from '../components/inputs/form.js';
import { Problem } from '../components/states/problem.js';
import { useTexts } from '../texts/texts.js';
import { type FieldTexts, SchemaFields, type SchemaForm } from './schema-form.js';

interface Shared {
  /** Label of the button that submits. */
  readonly submit: string;
  readonly isDisabled?: boolean;
  /** Without it the form has no button to cancel. */
  readonly onCancel?: () => void;
  /** Another button, at the start of the line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

interface Props extends Shared {
  /** What the form sends, unless it answers at once. */
  readonly mutation?: Pick<UseMutationResult<unknown, unknown, never>, 'isPending' | 'error'>;
  /** What the fields show of a failure. A failure that no field shows is shown below them. */
  readonly errors?: Readonly<Record<string, ReactNode>>;
  /** Whether the browser leaves the validation to the form. */
  readonly noValidate?: boolean;
  readonly color?: string;
  readonly onSubmit: () => void;
}

/** The form of a dialog: fields, the reason of a failure, buttons. */
export function DialogForm(props: Props) {
  const { submit, isDisabled = false, onCancel, aside, children, mutation, errors = {} } = props;
  const { actions } = useTexts('common');
  const isShown = Object.values(errors).some(Boolean);
  return (
    <Form onSubmit={props.onSubmit} noValidate={props.noValidate}>
      <Stack>
        {children}
        {Boolean(mutation?.error) && !isShown && <Problem error={mutation?.error} />}
      </Stack>
      <Group justify="flex-end" mt="lg">
        {aside && <Box mr="auto">{aside}</Box>}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {actions.cancel}
          </Button>
        )}
        <Button
          type="submit"
          color={props.color}
          loading={mutation?.isPending ?? false}
          disabled={isDisabled}
        >
          {submit}
        </Button>
      </Group>
    </Form>
  );
}

interface SchemaProps<Body> extends Shared {
  readonly schemaForm: SchemaForm;
  readonly texts: Readonly<Record<string, FieldTexts>>;
  /** Sends the values. */
  readonly mutation: Pick<UseMutationResult<unknown, unknown, Body>, 'isPending' | 'error' | 'mutate'>;
}

/** The same for fields that are held to a schema. */
export function SchemaDialogForm<Body>({ schemaForm, texts, mutation, ...rest }: SchemaProps<Body>) {
  const { form } = schemaForm;
  const submit = () => {
    if (!form.validate().hasErrors) mutation.mutate(form.values as unknown as Body);
  };
  return (
    <SchemaFields schemaForm={schemaForm} texts={texts}>
      <DialogForm {...rest} mutation={mutation} errors={form.errors} noValidate onSubmit={submit} />
    </SchemaFields>
  );
}
