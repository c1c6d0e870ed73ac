import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PhoneForwarded } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Form } from '#web/console/src/components/inputs/form.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import classes from '../desk.module.css';

/** What people write between the digits of a number. */
const SEPARATORS = /[\s().-]/g;

interface Props {
  readonly isDisabled: boolean;
  readonly onTransfer: (phone: string) => void;
}

/** Connects the customer with a number. */
export function TransferForm({ isDisabled, onTransfer }: Props) {
  const t = useTexts('live').desk.transfer;
  const [isOpen, { toggle }] = useDisclosure(false);
  const [phone, setPhone] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  const number = phone.replace(SEPARATORS, '');
  const submit = () => {
    if (number !== '') onTransfer(number);
  };
  return (
    <div>
      <Button
        variant="default"
        fullWidth
        leftSection={<PhoneForwarded size={16} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {t.open}
      </Button>
      {isOpen && (
        <Form className={classes.transfer} onSubmit={submit}>
          <TextInput
            type="tel"
            label={t.label}
            description={t.hint}
            value={phone}
            maxLength={40}
            ref={field}
            onChange={({ currentTarget }) => setPhone(currentTarget.value)}
          />
          <Button type="submit" disabled={isDisabled || number === ''}>
            {t.action}
          </Button>
        </Form>
      )}
    </div>
  );
}
