import { useQuery } from '@tanstack/react-query';
import { Dimmed } from '../../components/dimmed.js';
import { Loaded } from '../../components/states/loaded.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { SpendChart } from '../../components/spend-chart.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './billing.module.css';
import { SpendLimit } from './spend-limit.js';
import { Transactions } from './transactions.js';

export function BillingPage() {
  const t = useTexts('billing');
  const format = useFormat();
  const me = useQuery(meQuery);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <div className={classes.page}>
        <Panel title={t.balance}>
          <Loaded query={me} lines={1}>
            {({ total_balance }) => <p className={classes.balance}>{format.money(total_balance)}</p>}
          </Loaded>
          <Dimmed>{t.balanceHint}</Dimmed>
        </Panel>
        <SpendLimit />
      </div>
      <SpendChart />
      <Transactions />
    </Page>
  );
}
