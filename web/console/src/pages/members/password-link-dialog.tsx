import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createPasswordLink } from '#client/sdk.gen.js';
import type { MemberResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { keptOpen, OneTimeSecret } from '../../components/actions/one-time-secret.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';

interface Props {
  readonly member: MemberResponse;
  readonly onClose: () => void;
}

/** Creates a password reset link for a member and shows it once. */
export function PasswordLinkDialog({ member: { id, name }, onClose }: Props) {
  const t = useTexts('members').passwordLink;
  const { actions } = useTexts('common');
  const make = useMutation({
    mutationFn: () => dataOf(createPasswordLink, { path: { id } }),
  });
  const isEmailed = make.data?.data.emailed ?? false;
  const link = make.data && `${globalThis.location.origin}/app/password#${make.data.data.token}`;
  return (
    <Modal opened onClose={onClose} {...keptOpen(link !== undefined && !isEmailed)} title={t.title}>
      {link === undefined ? (
        <>
          <Text size="sm">{t.question(name)}</Text>
          {make.error ? <Problem error={make.error} /> : null}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={onClose} data-autofocus>
              {actions.cancel}
            </Button>
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              {t.submit}
            </Button>
          </Group>
        </>
      ) : (
        <OneTimeSecret
          value={link}
          text={isEmailed ? t.emailed(name) : t.copy(name)}
          isOptional={isEmailed}
          done={t.done}
          onDone={onClose}
        />
      )}
    </Modal>
  );
}
