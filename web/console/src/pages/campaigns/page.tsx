import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function CampaignsPage() {
  const t = useTexts('campaigns');
  return <NotReady title={t.title} />;
}
