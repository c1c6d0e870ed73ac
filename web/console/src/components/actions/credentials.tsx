import { Alert, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import type { useSchemaForm, Values } from '../../forms/schema-form.js';
import { Problem } from '../states/problem.js';
import { ConfirmButton } from './confirm-button.js';

/** Saves credentials. The API never returns a secret; an empty field keeps the stored one. */
export function useSaveCredentials(
  { showRefusal }: ReturnType<typeof useSchemaForm>,
  options: {
    readonly secret: string;
    readonly save: (values: Values) => Promise<unknown>;
    readonly queryKey: QueryKey;
    readonly saved: string;
  },
) {
  return useMutation({
    mutationFn: ({ [options.secret]: typed, ...values }: Values) =>
      options.save({ ...values, ...(typed !== '' && { [options.secret]: typed }) }),
    meta: { saved: options.saved, changes: [options.queryKey] },
    onError: (error) => void showRefusal(error),
  });
}

interface TestProps<Result extends string> {
  readonly texts: { readonly test: string; readonly results: Readonly<Record<Result, string>> };
  readonly test: () => Promise<Result>;
  /** Queries that the test may have changed. */
  readonly queryKey?: QueryKey;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Tests whether the stored credentials are accepted. */
export function TestCredentials<Result extends string>({
  texts,
  test: run,
  queryKey,
  children,
}: TestProps<Result>) {
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: run,
    onSuccess: () => queryKey && queries.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {texts.test}
        </Button>
        {children}
      </Group>
      <div role="status">
        {test.data && <Alert color={test.data === 'ok' ? 'green' : 'red'}>{texts.results[test.data]}</Alert>}
      </div>
      {test.error && <Problem error={test.error} />}
    </>
  );
}

interface RemoveProps {
  readonly texts: {
    readonly title: string;
    readonly remove: string;
    readonly removeText: string;
    readonly removed: string;
  };
  readonly remove: () => Promise<unknown>;
  readonly queryKey: QueryKey;
  readonly onDone?: () => void;
}

/** Removes stored credentials after a confirmation. */
export function RemoveCredentials({ texts, remove, queryKey, onDone }: RemoveProps) {
  const queries = useQueryClient();
  const finish = async () => {
    notifications.show({ message: texts.removed, color: 'green' });
    await queries.invalidateQueries({ queryKey });
    onDone?.();
  };
  return (
    <ConfirmButton label={texts.remove} title={texts.title} variant="subtle" action={remove} onDone={finish}>
      {texts.removeText}
    </ConfirmButton>
  );
}
