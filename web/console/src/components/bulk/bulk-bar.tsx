import { Button, Group, Text } from '@mantine/core';
import type { PropsWithChildren } from 'react';
import { useTexts } from '../../texts/texts.js';
import { Problem } from '../states/problem.js';
import type { Key } from '../tables/use-selection.js';
import classes from './bulk-bar.module.css';
import type { Bulk } from './use-bulk.js';

interface Props<Id extends Key> {
  readonly count: number;
  readonly bulk: Bulk<Id>;
}

/** What can be done with the selected rows, how far it is, and what failed. */
export function BulkBar<Id extends Key>({ count, bulk, children }: PropsWithChildren<Props<Id>>) {
  const { bulk: t } = useTexts('common');
  const { progress, failure, clear } = bulk;
  if (count === 0 && !progress && !failure) return null;
  return (
    <section className={classes.bar} aria-label={t.title}>
      <Group gap="sm">
        <Text size="sm" fw={500} role="status" className="tabular">
          {progress ? t.progress(progress.done, progress.total) : t.selected(count)}
        </Text>
        {!progress && (
          <>
            {count > 0 && children}
            <Button size="xs" variant="subtle" color="gray" onClick={clear}>
              {t.clear}
            </Button>
          </>
        )}
      </Group>
      {failure && !progress && (
        <>
          <Problem error={failure.error} />
          <Text size="sm">{t.failed(failure.count, failure.total)}</Text>
        </>
      )}
    </section>
  );
}
