import { Title } from '@mantine/core';
import type { InboundFiguresResponse } from '#client/types.gen.js';
import { useTexts } from '../../texts/texts.js';
import classes from './analytics.module.css';
import { useWaitWords } from './use-wait-words.js';

/** How long callers waited for a line, and how many hung up. */
export function InboundWaits({ figures }: { readonly figures: InboundFiguresResponse }) {
  const { waits: t } = useTexts('analytics').inbound;
  const words = useWaitWords();
  const { count, median, p95, abandoned } = words(figures);
  const facts = [
    [t.count, count],
    [t.median, median],
    [t.p95, p95],
    [t.abandoned, abandoned],
  ];
  return (
    <section>
      <Title order={3} mb="xs">
        {t.title}
      </Title>
      <ul className={classes.reasons} aria-label={t.title}>
        {facts.map(([name, value]) => (
          <li key={name}>
            <span>{name}</span>
            <span className="tabular">{value}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
