import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';

/**
 * A part of a page that is loaded when it is shown for the first time: what most visits do not open does not make the
 * page itself longer to load.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }));
  return function Later(props: Props) {
    return (
      <Suspense
        fallback={
          <Center p="xl">
            <Loader size="sm" />
          </Center>
        }
      >
        <Part {...props} />
      </Suspense>
    );
  };
}
