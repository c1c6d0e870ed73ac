import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { purchasePhoneNumber, updateAssistant } from '#client/sdk.gen.js';
import type { AssistantResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { stateOf } from '../../catalog/assistant-state.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText } from '../../texts/use-error-text.js';

/**
 * The assistants that answer calls and have no number yet: one that has a number would lose it. Undefined while they are loading;
 * none where they cannot be loaded.
 */
export function useFreeAnswerers(): readonly AssistantResponse[] | undefined {
  const { data: assistants, isError } = useQuery(assistantsQuery);
  if (assistants === undefined) return isError ? [] : undefined;
  return assistants.filter(
    (assistant) =>
      assistant.type === 'inbound' &&
      assistant.phone_number_id === null &&
      stateOf(assistant) !== 'deactivated',
  );
}

/** Rents a number, and has an assistant answer it. @param answererId null: none for now */
export function useRent(phoneNumber: string, answererId: number | null, onRented: () => void) {
  const { search: t } = useTexts('numbers');
  const errorText = useErrorText();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { data } = await dataOf(purchasePhoneNumber, { body: { phone_number: phoneNumber } });
      if (answererId === null) return null;
      const body = { phone_number_id: data.id };
      // The number is rented in any case: a failure from here on is reported apart.
      return dataOf(updateAssistant, { path: { id: answererId }, body }).then(
        () => null,
        (error: unknown) => ({ error }),
      );
    },
    meta: { saved: t.done },
    onSuccess: async (failure) => {
      if (failure) notifications.show({ message: errorText(failure.error), color: 'red' });
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['phone-numbers'] }),
        queries.invalidateQueries({ queryKey: ['assistants'] }),
      ]);
      void queries.invalidateQueries({ queryKey: ['me'] });
      onRented();
    },
  });
}
