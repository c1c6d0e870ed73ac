import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function SettingsPage() {
  const t = useTexts('settings');
  return <NotReady title={t.title} />;
}
