import type { NestExpressApplication } from '@nestjs/platform-express';

interface Layer {
  readonly route?: {
    readonly path: string | readonly string[];
    readonly methods: Readonly<Record<string, boolean>>;
  };
}

/**
 * Every route the running Express router serves, in the notation of OpenAPI: `/api/user/tools/{id}`. A layer of
 * many methods is middleware: a controller's method takes one.
 */
export function routesOfRouter(app: NestExpressApplication): { method: 'get'; path: string }[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: readonly Layer[] } };
  return router.stack.flatMap(({ route }) => {
    if (!route) return [];
    const paths = typeof route.path === 'string' ? [route.path] : route.path;
    const methods = Object.keys(route.methods).filter((method) => route.methods[method]);
    if (methods.length > 1) return [];
    return paths.flatMap((path) =>
      methods.map((method) => ({ method: method as 'get', path: path.replace(/:(\w+)/g, '{$1}') })),
    );
  });
}
