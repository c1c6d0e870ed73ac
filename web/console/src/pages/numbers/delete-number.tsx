import { useMutation } from '@tanstack/react-query';
import { deletePhoneNumber } from '#client/sdk.gen.js';
import type { ListedPhoneNumberResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { useTexts } from '../../texts/texts.js';

interface Props {
  readonly number: ListedPhoneNumberResponse;
  readonly onClose: () => void;
}

export function DeleteNumber({ number, onClose }: Props) {
  const t = useTexts('numbers');
  const remove = useMutation({
    mutationFn: () => dataOf(deletePhoneNumber, { path: { id: number.id } }),
    meta: { changes: [['phone-numbers']] },
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog opened onClose={onClose} title={t.delete} mutation={remove}>
      <strong className="tabular">{number.phone_number}</strong>
      <br />
      {t.deleteText} {number.has_active_subscription && t.deleteRented}
    </ConfirmDialog>
  );
}
