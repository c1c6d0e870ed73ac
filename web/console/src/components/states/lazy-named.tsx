import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';

/** A part of a page that loads when it is first shown, so that rarely opened parts do not slow the page down. */
export function lazyNamed<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }));
  return function LazyNamed(props: Props) {
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
