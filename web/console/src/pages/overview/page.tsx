import { Page } from '../../components/page/page.js';
import { SpendChart } from '../../components/spend-chart.js';
import { useTexts } from '../../texts/texts.js';
import { Attention } from './attention.js';
import { Guide } from './guide.js';
import classes from './overview.module.css';
import { QuickActions } from './quick-actions.js';
import { RecentCalls } from './recent-calls.js';
import { Stats } from './stats.js';
import { IfAllowed } from '../../components/if-allowed.js';

export function OverviewPage() {
  const t = useTexts('overview');
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={<QuickActions />}>
      <div className={classes.page}>
        <IfAllowed scope="admin">
          <Guide />
        </IfAllowed>
        <Stats />
        <div className={classes.columns}>
          <Attention />
          <RecentCalls />
        </div>
        <SpendChart />
      </div>
    </Page>
  );
}
