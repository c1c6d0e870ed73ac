import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Bot, Hash, Megaphone } from 'lucide-react';
import { CallNowButton } from '../../components/call-now/call-now-button.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { useTexts } from '../../texts/texts.js';

/** What people come for most often, one press away on every width. */
export function QuickActions() {
  const t = useTexts('overview').quick;
  return (
    <>
      <IfAllowed scope="admin">
        <Button
          variant="default"
          leftSection={<Bot size={16} aria-hidden="true" />}
          renderRoot={(props) => <Link to="/assistants" search={{ new: true }} {...props} />}
        >
          {t.assistant}
        </Button>
        <Button
          variant="default"
          leftSection={<Hash size={16} aria-hidden="true" />}
          renderRoot={(props) => <Link to="/numbers" search={{ rent: true }} {...props} />}
        >
          {t.number}
        </Button>
      </IfAllowed>
      <IfAllowed scope="campaigns">
        <Button
          variant="default"
          leftSection={<Megaphone size={16} aria-hidden="true" />}
          renderRoot={(props) => <Link to="/campaigns/new" {...props} />}
        >
          {t.campaign}
        </Button>
      </IfAllowed>
      <CallNowButton variant="default" label={t.call} />
    </>
  );
}
