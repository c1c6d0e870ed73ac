import { Page } from '../../components/page/page.js';
import { useTexts } from '../../texts/texts.js';
import { PersonPanel } from './person-panel.js';
import { RetentionPanel } from './retention-panel.js';

/** Personal data and retention, one panel each. */
export function PrivacyPage() {
  const t = useTexts('privacy');
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <PersonPanel />
      <RetentionPanel />
    </Page>
  );
}
