import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { CircleHelp, TriangleAlert } from 'lucide-react';
import { useTexts } from '../../texts/texts.js';
import { EmptyState } from '../states/empty-state.js';
import { Page } from './page.js';

/** Shown instead of a page that failed to load or render. */
export function PageFailure({ reset }: ErrorComponentProps) {
  const { actions, errors } = useTexts('common');
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <EmptyState
      icon={TriangleAlert}
      title={errors.page}
      action={
        <Button variant="default" onClick={retry}>
          {actions.retry}
        </Button>
      }
    />
  );
}

export function NoPage() {
  const { errors } = useTexts('common');
  return (
    <Page title={errors.noPage}>
      <EmptyState
        icon={CircleHelp}
        title={errors.noPage}
        action={
          <Button component={Link} to="/">
            {errors.toStart}
          </Button>
        }
      />
    </Page>
  );
}
