import { Button, Text, ThemeIcon } from '@mantine/core';
import '@mantine/core/styles/ThemeIcon.layer.css';
import { useLocalStorage } from '@mantine/hooks';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { Dimmed } from '../../components/dimmed.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import classes from './overview.module.css';
import { type Step, useSteps } from './use-steps.js';

function linkOf(step: Step, assistantId: number | undefined): LinkProps {
  const pages = {
    chat: '/assistants',
    knowledge: '/knowledge',
    widget: '/assistants',
    takeover: '/inbox',
  } as const;
  if (step === 'assistant') return { to: '/assistants', search: { new: true } };
  if (assistantId === undefined || (step !== 'chat' && step !== 'widget')) return { to: pages[step] };
  const search = step === 'chat' ? { test: true } : { tab: 'site' as const };
  return { to: '/assistants/$id', params: { id: String(assistantId) }, search };
}

/** First steps, up to a chat on a website. Hidden when done or dismissed. */
export function Guide() {
  const t = useTexts('overview').guide;
  const found = useSteps();
  const [isHidden, setHidden] = useLocalStorage({ key: 'prosa.guide.hidden', defaultValue: false });
  if (!found || isHidden) return null;
  const { steps, assistantId } = found;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const next = steps.find(({ isDone }) => !isDone)?.step;
  return (
    <Panel
      title={t.title}
      subtitle={t.progress(done, steps.length)}
      flush
      actions={
        <Button variant="subtle" color="gray" size="xs" onClick={() => setHidden(true)}>
          {t.hide}
        </Button>
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ step, isDone }, index) => (
          <li key={step} data-done={isDone || undefined}>
            <ThemeIcon
              radius="xl"
              size={26}
              variant={isDone ? 'filled' : 'light'}
              color={isDone ? 'green' : 'iris'}
            >
              {isDone ? <Check size={15} aria-label={t.done} /> : <span aria-hidden="true">{index + 1}</span>}
            </ThemeIcon>
            <span className={classes.itemText}>
              <Text size="sm" fw={500}>
                {t[step].title}
              </Text>
              <Dimmed>{t[step].text}</Dimmed>
            </span>
            {!isDone && (
              <Button
                size="xs"
                variant={step === next ? 'filled' : 'default'}
                renderRoot={(props) => <Link {...linkOf(step, assistantId)} {...props} />}
              >
                {t[step].action}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
