import { Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface Props {
  readonly icon: LucideIcon;
  readonly title: string;
  /** Button for the next step. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Shown for an empty list: what the list will contain, and how to fill it. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <Title order={2}>{title}</Title>
      {children && (
        <Text c="dimmed" maw="34rem">
          {children}
        </Text>
      )}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
