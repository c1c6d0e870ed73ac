import { Alert, Button, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { ApiError } from '../../api/api-error.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText } from '../../texts/use-error-text.js';

/** Shows a failure where it happened: the reason, and a button to try again. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { actions, errors } = useTexts('common');
  const errorText = useErrorText();
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  return (
    <Alert color="red" icon={<TriangleAlert size={18} />} title={errorText(error)} role="alert" my="md">
      {requestId && (
        <Text size="xs" c="dimmed">
          {errors.request(requestId)}
        </Text>
      )}
      {onRetry && (
        <Button variant="default" size="xs" mt="sm" onClick={onRetry}>
          {actions.retry}
        </Button>
      )}
    </Alert>
  );
}
